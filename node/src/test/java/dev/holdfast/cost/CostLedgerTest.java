package dev.holdfast.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Swap;
import dev.holdfast.objectstore.count.IndexRequests;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.objectstore.file.FileStore;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The account of what requests cost counts each of them once.
class CostLedgerTest {
  private static final String MONDAY = "2026-11-23";
  private static final String TUESDAY = "2026-11-24";

  private static Spent spent(long log, long blobs) {
    return new Spent(
        new TreeMap<>(
            Map.of(
                "translog", new Charge(log, log * 0.5), "commit_upload", new Charge(blobs, blobs))),
        new TreeMap<>(Map.of("uuid-a", new Charge(blobs, blobs))));
  }

  @Test
  void whatCameSinceANodeWasHeardIsOfTheDay() {
    CostLedger ledger =
        CostLedger.begin(5)
            .with(MONDAY, Map.of("n", spent(10, 2)), List.of())
            .with(MONDAY, Map.of("n", spent(12, 2)), List.of())
            .with(TUESDAY, Map.of("n", spent(15, 4), "m", spent(1, 0)), List.of());

    assertThat(ledger.days().get(MONDAY).byPurpose())
        .containsEntry("translog", new Charge(12, 6))
        .containsEntry("commit_upload", new Charge(2, 2));
    assertThat(ledger.days().get(TUESDAY).byPurpose())
        .containsEntry("translog", new Charge(4, 2))
        .containsEntry("commit_upload", new Charge(2, 2));
    assertThat(ledger.all().byIndex()).containsEntry("uuid-a", new Charge(4, 4));
    assertThat(ledger.all().total().requests()).isEqualTo(20);
  }

  @Test
  void aNodeThatIsSilentForAWhileIsNotCountedAgain() {
    CostLedger ledger =
        CostLedger.begin(5)
            .with(MONDAY, Map.of("n", spent(10, 0)), List.of())
            .with(MONDAY, Map.of(), List.of("n"))
            .with(MONDAY, Map.of("n", spent(11, 0)), List.of());
    assertThat(ledger.all().total().requests()).isEqualTo(11);
    assertThat(ledger.with(MONDAY, Map.of(), List.of()).heard()).as("gone").isEmpty();
  }

  @Test
  void theNextLeaderGoesOnWithWhatWasPutDown() throws Exception {
    CostLedger before = CostLedger.begin(5).with(MONDAY, Map.of("n", spent(10, 3)), List.of());
    CostLedger after = LedgerBytes.read(LedgerBytes.write(before));
    assertThat(after).isEqualTo(before);
    assertThat(after.with(MONDAY, Map.of("n", spent(11, 3)), List.of()).all().total().requests())
        .isEqualTo(14);
  }

  @Test
  void damageIsAnError() {
    byte[] bytes = LedgerBytes.write(CostLedger.begin(5));
    bytes[bytes.length - 3] ^= 1;
    assertThatThrownBy(() -> LedgerBytes.read(bytes)).isInstanceOf(CorruptObjectException.class);
    assertThatThrownBy(() -> LedgerBytes.read(new byte[0]))
        .isInstanceOf(CorruptObjectException.class);
  }

  @Test
  void anAccountThatWasDamagedIsReplacedByAnother(@TempDir Path folder) throws Exception {
    for (ObjectStore store : List.of(new MemoryStore(), new FileStore(folder))) {
      StoredLedger none = StoredLedger.read(store, 5);
      assertThat(none).isEqualTo(new StoredLedger(CostLedger.begin(5), null));
      assertThat(store.compareAndSet(LedgerBytes.KEY, null, new byte[] {1}))
          .isInstanceOf(Swap.Swapped.class);
      if (store instanceof FileStore) {
        Files.writeString(folder.resolve(LedgerBytes.KEY + "+register"), "of somebody else");
      }
      StoredLedger anew = StoredLedger.read(store, 7);
      assertThat(anew.ledger()).isEqualTo(CostLedger.begin(7));
      assertThat(
              store.compareAndSet(
                  LedgerBytes.KEY, anew.version(), LedgerBytes.write(CostLedger.begin(9))))
          .isInstanceOf(Swap.Swapped.class);
      assertThat(StoredLedger.read(store, 11).ledger()).isEqualTo(CostLedger.begin(9));
    }
  }

  @Test
  void daysAndIndicesAreBounded() {
    CostLedger ledger = CostLedger.begin(5);
    SortedMap<String, Charge> many = new TreeMap<>();
    for (int i = 0; i < 3 * CostLedger.INDICES_A_DAY_MAX; i++) {
      many.put("uuid-" + i, new Charge(1, i));
    }
    double dollars = many.values().stream().mapToDouble(Charge::dollars).sum();
    for (int day = 0; day < 2 * CostLedger.DAYS_MAX; day++) {
      Spent said = new Spent(new TreeMap<>(), many);
      ledger =
          ledger.with(
              String.format(Locale.ROOT, "day-%03d", day), Map.of("n" + day, said), List.of());
    }
    assertThat(ledger.days()).hasSize(CostLedger.DAYS_MAX);
    assertThat(ledger.days().firstKey()).isEqualTo("day-062");
    SortedMap<String, Charge> kept = ledger.days().get("day-100").byIndex();
    assertThat(kept).hasSize(CostLedger.INDICES_A_DAY_MAX).containsKey("uuid-299");
    assertThat(kept.get(IndexRequests.REST).requests()).isEqualTo(201);
    assertThat(kept.values().stream().mapToDouble(Charge::dollars).sum())
        .isCloseTo(dollars, within(1e-6));
  }

  @Test
  void whatWasReadIsCountedOnceAndAnOlderBuildsAccountHasNone() throws Exception {
    Spent early = ofIndex(new Charge(1, 1, 100));
    Spent late = ofIndex(new Charge(1, 1, 350)); // the answer of a request that was counted before
    CostLedger ledger =
        CostLedger.begin(5)
            .with(MONDAY, Map.of("n", early), List.of())
            .with(TUESDAY, Map.of("n", late), List.of());
    assertThat(ledger.all().byIndex()).containsEntry("uuid-a", new Charge(1, 1, 350));
    assertThat(LedgerBytes.read(LedgerBytes.write(ledger))).isEqualTo(ledger);
    String older = "{'a':{'requests':2,'dollars':0.5},'b':{'bytes_read':-1}}".replace('\'', '"');
    assertThat(Charge.read(Json.parseObject(older)))
        .containsEntry("a", new Charge(2, 0.5))
        .containsEntry("b", new Charge(0, 0));
  }

  private static Spent ofIndex(Charge charge) {
    return new Spent(new TreeMap<>(), new TreeMap<>(Map.of("uuid-a", charge)));
  }

  @Test
  void whatIsKeptIsToldByClass() throws Exception {
    MemoryStore store = new MemoryStore();
    store.put("shards/00ff/uuid-a/0/a/b", ObjectBody.of(new byte[10]));
    store.put("shards/00ff/uuid-a/0/a/c", ObjectBody.of(new byte[20]));
    store.put("shards/00ff/uuid-a/0/a/d", ObjectBody.of(new byte[30]));
    store.changeClass("shards/00ff/uuid-a/0/a/b", "STANDARD_IA");
    store.changeClass("shards/00ff/uuid-a/0/a/c", "STANDARD_IA");

    KeptBytes kept = KeptBytes.look(store, 7, 2, 10);
    assertThat(kept.byClass())
        .containsEntry("STANDARD_IA", new KeptBytes.OfClass(2, 30))
        .containsEntry("", new KeptBytes.OfClass(1, 30));
    assertThat(kept.dollars(StorePrices.S3_STANDARD))
        .isCloseTo((30 * 0.0125 + 30 * 0.023) * 1e-9, within(1e-15));
    assertThat(kept.readDollars(StorePrices.S3_STANDARD, _ -> 2e9))
        .as("half of what is read is of that class")
        .isCloseTo(0.01, within(1e-12));
  }

  @Test
  void whatIsKeptIsToldByFolderAndIndex() throws Exception {
    MemoryStore store = new MemoryStore();
    store.put("cluster/lease", ObjectBody.of(new byte[3]));
    store.put("shards/00ff/uuid-a/0/a/b", ObjectBody.of(new byte[10]));
    store.put("shards/00ff/uuid-a/1/a/b", ObjectBody.of(new byte[20]));
    store.put("shards/0100/uuid-b/0/a/b", ObjectBody.of(new byte[40]));

    KeptBytes kept = KeptBytes.look(store, 7, 2, 10);
    assertThat(kept.isComplete()).isTrue();
    assertThat(kept.objects()).isEqualTo(4);
    assertThat(kept.bytes()).isEqualTo(73);
    assertThat(kept.byFolder()).containsEntry("cluster", 3L).containsEntry("shards", 70L);
    assertThat(kept.byIndex()).containsEntry("uuid-a", 30L).containsEntry("uuid-b", 40L);
    assertThat(KeptBytes.look(store, 7, 1, 2).isComplete()).isFalse();
  }
}
