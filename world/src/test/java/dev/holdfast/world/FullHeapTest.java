package dev.holdfast.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;

/// A heap that what nobody counts has filled: what has run for long ends, and nothing else.
final class FullHeapTest {
  private static final long LIMIT = 1_000;
  private static final long SECOND = 1_000_000_000L;

  private final Heap found = new Heap();
  private final HeapUse heap = new HeapUse(LIMIT, found);
  private final CircuitBreaker budget = new CircuitBreaker("request", 100, heap);

  private static final class Heap implements HeapUse.Source {
    private long alive;
    private long collections;
    private long nanos = 5 * SECOND;

    /// The whole heap is collected, and so much is left.
    private void collected(long left) {
      alive = left;
      collections++;
    }

    @Override
    public long alive() {
      return alive;
    }

    @Override
    public long max() {
      return 10 * LIMIT;
    }

    @Override
    public long collections() {
      return collections;
    }

    @Override
    public long wholeCollections() {
      return collections;
    }

    @Override
    public long free() {
      return 0;
    }

    @Override
    public long room() {
      return Long.MAX_VALUE;
    }

    @Override
    public void collect() {}

    @Override
    public long stoppedNanos() {
      return 0;
    }

    @Override
    public void pause(long pauseNanos) {
      nanos += pauseNanos;
    }

    @Override
    public long nanoTime() {
      return nanos;
    }
  }

  private Reservation search(long bytes) {
    Reservation search = budget.beginRequest("<search>");
    search.add(bytes);
    return search;
  }

  /// A loop of a search looks whether it is to go on.
  private static Refusal looked(Reservation search) {
    return catchThrowableOfType(Refusal.class, () -> during(search, StopSignal::look));
  }

  private static void during(Reservation search, Runnable work) {
    boolean _ =
        new StopSignal(() -> false, () -> false, () -> 0)
            .<Boolean, RuntimeException>during(() ->
                WorkMemory.<Boolean, RuntimeException>during(
                    search,
                    () -> {
                      work.run();
                      return true;
                    }));
  }

  @Test
  void whatHasRunForLongEndsWhenTheHeapIsFull() {
    try (Reservation slow = search(1)) {
      found.nanos += 2 * SECOND;
      try (Reservation quick = search(1)) {
        found.collected(LIMIT + LIMIT / 4 + 1);
        heap.watch();

        Refusal ended = looked(slow);
        assertThat(ended.type()).isEqualTo(ErrorType.CIRCUIT_BREAKING);
        assertThat(ended.reason()).startsWith("[parent] Data too large, data for [<search>]");
        assertThat(looked(quick)).isNull();
        assertThat(heap.tripped()).isEqualTo(1);
      }
    }
  }

  /// Else the answer that says so could not be made.
  @Test
  void aThreadIsToldOnce() {
    try (Reservation slow = search(1)) {
      found.nanos += 2 * SECOND;
      found.collected(2 * LIMIT);
      heap.watch();

      during(
          slow,
          () -> {
            assertThat(catchThrowableOfType(Refusal.class, StopSignal::look)).isNotNull();
            assertThatCode(StopSignal::look).doesNotThrowAnyException();
          });
    }
  }

  @Test
  void whatCannotBeEndedGoesOn() {
    try (Reservation bulk = search(1)) {
      found.nanos += 2 * SECOND;
      found.collected(2 * LIMIT);
      heap.watch();
      found.alive = 0;
      found.collected(0);
      heap.watch();

      assertThatCode(() -> bulk.add(1)).doesNotThrowAnyException();
      during(
          bulk,
          () -> assertThat(catchThrowableOfType(Refusal.class, () -> bulk.add(1))).isNotNull());
    }
  }

  @Test
  void nothingEndsBelow() {
    try (Reservation slow = search(1)) {
      found.nanos += 2 * SECOND;
      found.collected(LIMIT + LIMIT / 4);
      heap.watch();

      assertThat(looked(slow)).isNull();
    }
  }

  /// What is kept between requests, as that of a scroll, goes on later.
  @Test
  void whatIsNotToldSoonGoesOn() {
    try (Reservation kept = search(1)) {
      found.nanos += 2 * SECOND;
      found.collected(2 * LIMIT);
      heap.watch();
      found.nanos += 4 * SECOND;

      assertThat(looked(kept)).isNull();
    }
  }

  @Test
  void partsOfARequestEndWithIt() {
    try (Reservation request = search(1)) {
      Reservation[] part = new Reservation[1];
      during(request, () -> part[0] = budget.begin("<search>"));
      try (Reservation ofShard = part[0]) {
        found.nanos += 2 * SECOND;
        found.collected(2 * LIMIT);
        heap.watch();

        assertThat(looked(ofShard)).isNotNull();
      }
    }
  }
}
