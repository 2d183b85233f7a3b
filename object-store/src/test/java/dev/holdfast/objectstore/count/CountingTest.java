package dev.holdfast.objectstore.count;

import static dev.holdfast.objectstore.ObjectStoreContract.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.Parts;
import dev.holdfast.objectstore.Purpose;
import dev.holdfast.objectstore.RequestKind;
import dev.holdfast.objectstore.SeededChance;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.faulty.Faulty;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.world.World;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Requests, bytes and dollars are told by purpose.
final class CountingTest {
  private final MemoryStore memory = new MemoryStore();
  private final StoreCounters counters = new StoreCounters(StorePrices.S3_STANDARD);

  @Test
  void requestsAndBytesAreCountedByPurposeAndKind() throws Exception {
    ObjectStore log = new Counting(memory, Purpose.TRANSLOG, counters);
    ObjectStore search = new Counting(memory, Purpose.SEARCH, counters);
    log.putIfAbsent("log/1", body("12345"));
    log.putIfAbsent("log/2", body("123"));
    search.getRange("log/1", 1, 2);
    search.get("log/2");
    search.get("none");
    search.list("log/", "", 10);
    search.deleteAll(List.of("log/1", "log/2"));
    search.deleteAll(List.of());

    assertThat(counters.snapshot())
        .extracting(
            StoreCounters.Line::purpose,
            StoreCounters.Line::kind,
            StoreCounters.Line::requests,
            StoreCounters.Line::bytesWritten,
            StoreCounters.Line::bytesRead)
        .containsExactly(
            tuple(Purpose.TRANSLOG, RequestKind.PUT, 2L, 8L, 0L),
            tuple(Purpose.SEARCH, RequestKind.GET, 3L, 0L, 5L),
            tuple(Purpose.SEARCH, RequestKind.LIST, 1L, 0L, 0L),
            tuple(Purpose.SEARCH, RequestKind.DELETE, 1L, 0L, 0L));
    assertThat(counters.dollars())
        .isCloseTo((2 * 0.005 + 3 * 0.0004 + 0.005) / 1000, within(1e-12));
    assertThat(counters.requests(RequestKind.PUT)).isEqualTo(2);
  }

  @Test
  void everyTryCountsAndFailuresAreErrors() throws Exception {
    World world = SeededChance.world(5, false);
    Faulty faulty = new Faulty(memory, world, StoreFaults.NONE.withBursts(1, 3));
    Retrying store = Retrying.atMost(new Counting(faulty, Purpose.SEARCH, counters), world, 4);

    assertThatThrownBy(() -> store.get("a")).isInstanceOf(StoreException.Unavailable.class);
    assertThatThrownBy(() -> new Counting(memory, Purpose.SEARCH, counters).getSuffix("a", 1))
        .isInstanceOf(StoreException.NotFound.class);

    StoreCounters.Line line = counters.snapshot().getFirst();
    assertThat(line.requests()).isEqualTo(5);
    assertThat(line.errors()).isEqualTo(4);
  }

  @Test
  void movesToAnotherClassHaveAPurposeAndAPrice() throws Exception {
    ObjectStore any = new Counting(memory, Purpose.OPERATORS, counters);
    any.put("shards/00/uuid-a/0/1/2", body("12345"));
    any.changeClass("shards/00/uuid-a/0/1/2", "STANDARD_IA");
    any.getRange("shards/00/uuid-a/0/1/2", 1, 3);

    assertThat(memory.list("", "", 9))
        .extracting(ObjectStore.Listed::storageClass)
        .containsExactly("STANDARD_IA");
    assertThat(counters.snapshot())
        .extracting(
            StoreCounters.Line::purpose, StoreCounters.Line::kind, StoreCounters.Line::requests)
        .containsExactly(
            tuple(Purpose.STORAGE_CLASS, RequestKind.TRANSITION, 1L),
            tuple(Purpose.OPERATORS, RequestKind.PUT, 1L),
            tuple(Purpose.OPERATORS, RequestKind.GET, 1L));
    assertThat(counters.snapshot().getFirst().dollars()).isCloseTo(0.00001, within(1e-12));
    assertThat(counters.byIndex().sums().get("uuid-a").bytesRead()).isEqualTo(3);
    assertThatThrownBy(() -> any.changeClass("none", "STANDARD_IA"))
        .isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  void largeObjectsCostTheirParts() {
    assertThat(Parts.requests(64L << 20)).isEqualTo(1);
    assertThat(Parts.requests((64L << 20) + 1)).isEqualTo(5 + 2);
    assertThat(Parts.requests(1L << 40)).isEqualTo(Parts.PARTS_MAX + 2);
  }

  @Test
  void pricesFollowTheUrl() {
    assertThat(StorePrices.of("s3://bucket/prefix")).isEqualTo(StorePrices.S3_STANDARD);
    assertThat(StorePrices.of("gs://bucket")).isEqualTo(StorePrices.GOOGLE_STANDARD);
    assertThat(StorePrices.of("./data")).isEqualTo(StorePrices.FREE);
  }
}
