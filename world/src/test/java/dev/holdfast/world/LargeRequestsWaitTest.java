package dev.holdfast.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LargeRequestsWaitTest {
  private static final long MIB = 1 << 20;
  private static final long MILLIS = 1_000_000;

  private final Stopped heap = new Stopped();
  private final HeapUse use = new HeapUse(Long.MAX_VALUE, heap);
  private final CircuitBreaker breaker = new CircuitBreaker("request", 512 * MIB, use);

  /// A heap with all the room there is, whose collections stop everything as the test says.
  private static final class Stopped implements HeapUse.Source {
    private long nanos = -5_000 * MILLIS; // any number is a time
    private long stoppedNanos;
    private Runnable onPause = () -> {};

    @Override
    public void pause(long pauseNanos) {
      nanos += pauseNanos;
      onPause.run();
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public long stoppedNanos() {
      return stoppedNanos;
    }

    @Override
    public long alive() {
      return 0;
    }

    @Override
    public long collections() {
      return 0;
    }

    @Override
    public long wholeCollections() {
      return 0;
    }

    @Override
    public long free() {
      return Long.MAX_VALUE;
    }

    @Override
    public long room() {
      return Long.MAX_VALUE;
    }

    @Override
    public void collect() {}
  }

  private void quickRequest() {
    breaker.beginRequest("<search>").close();
  }

  /// A collection of the whole heap, in a node that quick requests come to.
  private void stop(long millis) {
    heap.nanos += millis * MILLIS;
    heap.stoppedNanos += millis * MILLIS;
    heap.onPause = this::quickRequest;
    quickRequest();
  }

  private Duration took(Runnable work) {
    long startNanos = heap.nanos;
    var _ =
        new StopSignal(() -> false, () -> false, heap::nanoTime)
            .<Boolean, RuntimeException>during(() -> {
              work.run();
              return true;
            });
    return Duration.ofNanos(heap.nanos - startNanos);
  }

  @Test
  void largeOnesWaitUntilCollectionsHadTheirShareOfTheTime() {
    Reservation large = breaker.beginRequest("<search>");
    Reservation small = breaker.beginRequest("<search>");
    stop(150);

    assertThat(took(() -> small.add(MIB))).isZero();
    assertThat(took(() -> large.add(3 * MIB)))
        .as("a fortieth of it are the hundred that they were ahead too far")
        .isBetween(Duration.ofMillis(3800), Duration.ofMillis(4000));
    assertThat(took(() -> large.add(2 * MIB))).as("not twice as much").isZero();
    assertThat(use.waitedNanos()).isBetween(3_800 * MILLIS, 4_000 * MILLIS);
  }

  @Test
  void whatCollectionsStopForNowAndThenKeepsNobody() {
    Reservation large = breaker.beginRequest("<search>");
    for (int i = 0; i < 10; i++) {
      heap.nanos += 20_000 * MILLIS;
      stop(300);
    }
    heap.nanos += 12_000 * MILLIS;
    quickRequest();

    assertThat(took(() -> large.add(100 * MIB))).isZero();
  }

  @Test
  void nobodyWaitsWhereNoQuickOnesCome() {
    Reservation large = breaker.beginRequest("<search>");
    stop(400);
    heap.onPause = () -> {};

    assertThat(took(() -> large.add(3 * MIB)))
        .as("for a second after the last")
        .isBetween(Duration.ofMillis(1000), Duration.ofMillis(1020));
    assertThat(took(() -> large.add(10 * MIB))).isZero();
  }

  /// Who holds memory keeps it from others while it waits.
  @Test
  void oneRequestWaitsForSomeSecondsInAll() {
    Reservation large = breaker.beginRequest("<search>");
    heap.onPause = () -> stop(10);
    stop(400);

    assertThat(took(() -> large.add(3 * MIB))).isLessThan(Duration.ofMillis(7050));
    assertThat(took(() -> large.add(9 * MIB))).isZero();
    Reservation part = large.beside();
    assertThat(took(() -> part.add(9 * MIB))).as("its parts with it").isZero();
    Reservation next =
        WorkMemory.<Reservation, RuntimeException>during(
            large, () -> breaker.beginRequest("<fetch>"));
    assertThat(took(() -> next.add(9 * MIB))).as("and its phases").isZero();
  }

  @Test
  void whoeverIsCancelledWaitsNoMore() {
    Reservation large = breaker.beginRequest("<search>");
    AtomicBoolean isCancelled = new AtomicBoolean();
    stop(400);
    heap.onPause = () -> isCancelled.set(true);

    Refusal refusal =
        catchThrowableOfType(
            Refusal.class,
            () ->
                new StopSignal(isCancelled::get, () -> false, heap::nanoTime)
                    .during(() -> {
                      large.add(3 * MIB);
                      return true;
                    }));

    assertThat(refusal.type()).isEqualTo(ErrorType.TASK_CANCELLED);
    assertThat(use.waitedNanos()).isEqualTo(20 * MILLIS);
  }

  @Test
  void whoseTimeIsOverGoesOnWithWhatThereIs() {
    Reservation large = breaker.beginRequest("<search>");
    stop(400);
    long startNanos = heap.nanos;
    new StopSignal(() -> false, () -> heap.nanos > startNanos + 100 * MILLIS, heap::nanoTime)
        .during(() -> {
          large.add(3 * MIB);
          return true;
        });

    assertThat(heap.nanos - startNanos).isEqualTo(120 * MILLIS);
  }

  /// Each of them has a thread of a pool, and quick ones need one, too.
  @Test
  void aDozenWaitAtATime() {
    AtomicInteger waiting = new AtomicInteger();
    AtomicBoolean isEnough = new AtomicBoolean();
    stop(400);
    heap.onPause =
        () -> {
          quickRequest();
          int before = waiting.get();
          if (!isEnough.get()) {
            waiting.incrementAndGet();
            breaker.beginRequest("<search>").add(3 * MIB); // begins while the others wait
            isEnough.set(true);
          }
          assertThat(before).isLessThanOrEqualTo(12);
        };

    took(() -> breaker.beginRequest("<search>").add(3 * MIB));

    assertThat(waiting).hasValue(12);
  }

  /// What nothing can end, as a write, waits only where others cannot wait for what it has: at its
  /// begin.
  @Test
  void writesWaitAtTheirBeginOnly() {
    Reservation large = breaker.beginRequest("<http_request>");
    stop(400);
    long startNanos = heap.nanos;

    large.add(3 * MIB);
    assertThat(heap.nanos).isEqualTo(startNanos);
    large.addFirst(3 * MIB);
    assertThat(heap.nanos).isGreaterThan(startNanos + 6_900 * MILLIS);
  }
}
