package dev.holdfast.api.cost;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.cost.Charge;
import dev.holdfast.cost.CostLedger;
import dev.holdfast.cost.KeptBytes;
import dev.holdfast.cost.Spent;
import dev.holdfast.cost.StorageClassPolicy;
import dev.holdfast.cost.StoreBudget;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.count.StorePrices;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The leader moves old blobs, each once, and says what becomes of the others.
final class StorageClassMovesTest {
  private static final String SELF = "me";
  private static final int BYTES = 2_000_000;

  /// Objects in memory were written in the first milliseconds of 1970.
  private final Hand clock = new Hand();

  private final MemoryStore memory = new MemoryStore();
  private final Alone metadata = new Alone();
  private final Known account = new Known();
  private @Nullable Changing changing;

  private static final class Hand implements Clock {
    long millis = Duration.ofDays(60).toMillis();

    @Override
    public long nanoTime() {
      return millis * 1_000_000;
    }

    @Override
    public long epochMillis() {
      return millis;
    }
  }

  private static final class Alone implements Metadata {
    ClusterState state = ClusterState.empty("cluster");
    String leader = SELF;

    @Override
    public ClusterState current() {
      return state;
    }

    @Override
    public String leaderId() {
      return leader;
    }

    @Override
    public ClusterState update(String reason, UnaryOperator<ClusterState> change) {
      state = change.apply(state);
      return state;
    }

    @Override
    public void listen(Listener listener) {
      listener.changed(state, state);
    }
  }

  private static final class Known implements StorageClassMoves.Account {
    @Nullable CostLedger ledger;
    @Nullable KeptBytes kept;

    @Override
    public @Nullable CostLedger ledger() {
      return ledger;
    }

    @Override
    public @Nullable KeptBytes kept() {
      return kept;
    }
  }

  /// What the store does instead of changing a class.
  private interface Changing {
    void change() throws StoreException;
  }

  private static String key(String uuid, int blob) {
    return "shards/00ff/" + uuid + "/0/a/" + blob;
  }

  private void index(String name) {
    metadata.state =
        metadata.state.withIndex(
            new IndexMetadata(
                new IndexId(name, "uuid-" + name),
                1,
                new TreeMap<>(),
                1,
                Json.object(),
                1,
                new TreeMap<>(),
                true,
                List.of(1L)));
  }

  private void set(Map<String, Object> settings) {
    SortedMap<String, Object> all = new TreeMap<>(settings);
    metadata.state = metadata.state.withSettings(all);
  }

  private void name() {
    set(Map.of(StorageClassPolicy.SETTING, "STANDARD_IA"));
  }

  /// @param days of which it is known what was read: of one index its bytes each day
  private void known(int days, String uuid, long bytesADay) throws StoreException {
    CostLedger ledger = CostLedger.begin(0);
    for (int day = days - 1; day >= 0; day--) {
      long so = days - day;
      Spent spent =
          new Spent(
              new TreeMap<>(Map.of("search", new Charge(so, 0, so * bytesADay + so))),
              new TreeMap<>(Map.of(uuid, new Charge(so, 0, so * bytesADay))));
      String name = CostLedger.day(clock.millis - Duration.ofDays(day).toMillis());
      ledger = ledger.with(name, Map.of("n", spent), List.of());
    }
    account.ledger = ledger;
    account.kept = KeptBytes.look(memory, clock.millis);
  }

  /// Memory, whose changes of class may fail.
  private ObjectStore store() {
    return (ObjectStore)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (_, method, arguments) -> {
              Changing instead = changing;
              if (method.getName().equals("changeClass") && instead != null) {
                instead.change();
                return null;
              }
              return method.invoke(memory, arguments);
            });
  }

  private StorageClassMoves moves() {
    World real = RealWorld.create();
    World world = new World(clock, real.sleeper(), real.ids(), real.chance(), real.tasks());
    return new StorageClassMoves(world, metadata, store(), SELF, StorePrices.S3_STANDARD, account);
  }

  private void run(StorageClassMoves moves, int seconds) {
    for (int i = 0; i < seconds; i++) {
      moves.tick();
      clock.millis += 1000;
    }
  }

  private JsonNode told(StorageClassMoves moves) {
    ObjectNode json = Json.object();
    moves.tell(metadata.state, json);
    return json.path("storage_class");
  }

  private List<String> moved() {
    return memory.list("", "", 10_000).stream()
        .filter(listed -> listed.storageClass().equals("STANDARD_IA"))
        .map(ObjectStore.Listed::key)
        .toList();
  }

  @Test
  void oldBlobsOfIndicesThatRestAreMovedAndNothingElse() throws Exception {
    index("a");
    index("b");
    memory.put("cluster/state/1/1", ObjectBody.of(new byte[BYTES]));
    memory.put(key("uuid-a", 1), ObjectBody.of(new byte[BYTES]));
    memory.put(key("uuid-a", 2), ObjectBody.of(new byte[1000]));
    memory.put(key("uuid-b", 3), ObjectBody.of(new byte[BYTES]));
    memory.put(key("uuid-gone", 4), ObjectBody.of(new byte[BYTES]));
    known(10, "uuid-b", BYTES);
    StorageClassMoves moves = moves();

    run(moves, 3);
    assertThat(moved()).as("nobody named a class").isEmpty();
    assertThat(told(moves).isMissingNode()).isTrue();

    name();
    run(moves, 3);
    assertThat(moved()).containsExactly(key("uuid-a", 1));
    assertThat(told(moves).path("moved").asInt()).isEqualTo(1);
    assertThat(told(moves).path("moved_bytes").asInt()).isEqualTo(BYTES);
    assertThat(told(moves).at("/blobs/move").asInt()).isEqualTo(1);
    assertThat(told(moves).at("/blobs/not_worth_a_move").asInt()).isEqualTo(1);
    assertThat(told(moves).at("/blobs/read_often").asInt()).isEqualTo(1);

    clock.millis += Duration.ofDays(1).toMillis();
    run(moves, 3);
    assertThat(told(moves).path("moved").asInt()).as("once").isEqualTo(1);
    assertThat(told(moves).at("/blobs/in_another_class").asInt()).isEqualTo(1);
  }

  @Test
  void onlyTheLeaderMovesAndOnlyOnceItKnowsWhatIsRead() throws Exception {
    index("a");
    memory.put(key("uuid-a", 1), ObjectBody.of(new byte[BYTES]));
    name();
    StorageClassMoves moves = moves();
    run(moves, 3);
    assertThat(told(moves).path("waits_for").asText()).contains("a first look");

    known(StorageClassMoves.DAYS_OF_READS_MIN - 1, "uuid-a", 0);
    run(moves, 3);
    assertThat(told(moves).path("waits_for").asText()).contains("is known of 6 days");

    known(StorageClassMoves.DAYS_OF_READS_MIN, "uuid-a", 0);
    metadata.leader = "another";
    run(moves, 3);
    assertThat(moved()).isEmpty();

    metadata.leader = SELF;
    run(moves, 3);
    assertThat(moved()).hasSize(1);
    assertThat(told(moves).has("waits_for")).isFalse();
  }

  @Test
  void aStoreThatKeepsTheClassOrRefusesItIsNotAskedAgain() throws Exception {
    index("a");
    for (int i = 0; i < 30; i++) {
      memory.put(key("uuid-a", i), ObjectBody.of(new byte[BYTES]));
    }
    known(10, "uuid-a", 0);
    name();
    int[] asked = {0};
    changing = () -> asked[0]++;
    StorageClassMoves moves = moves();
    run(moves, 5);
    assertThat(asked[0]).isEqualTo(1);
    assertThat(told(moves).path("moved").asInt()).isZero();
    assertThat(told(moves).path("trouble").asText()).contains("kept its class");

    changing =
        () -> {
          asked[0]++;
          throw new StoreException.Denied("no such class", null);
        };
    set(Map.of(StorageClassPolicy.SETTING, "GLACIER_IR", StorageClassPolicy.AFTER, "40d"));
    run(moves, 5);
    assertThat(asked[0]).as("the setting was changed").isEqualTo(2);
    assertThat(told(moves).path("trouble").asText()).isEqualTo("no such class");

    changing = null;
    name();
    run(moves, 5);
    assertThat(moved()).hasSize(30);
    assertThat(told(moves).has("trouble")).isFalse();
  }

  @Test
  void movesTakeATenthOfABudget() throws Exception {
    index("a");
    for (int i = 0; i < 10; i++) {
      memory.put(key("uuid-a", i), ObjectBody.of(new byte[BYTES]));
    }
    known(10, "uuid-a", 0);
    // A tenth of it pays for a move each ten seconds.
    double budget = 10 * 0.00001 / 10 * StorePrices.MONTH_SECONDS;
    set(
        Map.of(
            StorageClassPolicy.SETTING,
            "STANDARD_IA",
            StoreBudget.SETTING,
            String.valueOf(Math.ceil(budget * 100) / 100)));
    StorageClassMoves moves = moves();
    run(moves, 35);
    assertThat(moved()).hasSize(3);
    run(moves, 100);
    assertThat(moved()).hasSize(10);
  }

  @Test
  void aStoreThatFailsIsAskedAgainLater() throws Exception {
    index("a");
    memory.put(key("uuid-a", 1), ObjectBody.of(new byte[BYTES]));
    known(10, "uuid-a", 0);
    name();
    changing =
        () -> {
          throw new StoreException.Unavailable("no answer", null);
        };
    StorageClassMoves moves = moves();
    run(moves, 3);
    assertThat(told(moves).path("waits_for").asText()).contains("10m").contains("no answer");
    changing = null;
    run(moves, 3);
    assertThat(moved()).isEmpty();
    clock.millis += Duration.ofMinutes(11).toMillis();
    run(moves, 3);
    assertThat(moved()).hasSize(1);
    assertThat(told(moves).has("waits_for")).isFalse();
  }
}
