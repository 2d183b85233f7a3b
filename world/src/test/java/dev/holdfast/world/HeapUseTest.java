package dev.holdfast.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class HeapUseTest {
  /// Held by a request that is not small.
  private static final long LARGE = 1 << 20;

  /// A heap whose collections find what the test says.
  private static final class Found implements HeapUse.Source {
    private long alive;
    private long nextAlive;
    private long collections;
    private long wholeCollections;
    private long free;
    private long room = Long.MAX_VALUE;
    private long nanos;
    private long collectingNanos;
    private Runnable onCollect = () -> {};
    private long stoppedNanos;
    private Runnable onPause = () -> {};

    @Override
    public long alive() {
      return alive;
    }

    @Override
    public long collections() {
      return collections;
    }

    @Override
    public long stoppedNanos() {
      return stoppedNanos;
    }

    @Override
    public void pause(long pauseNanos) {
      nanos += pauseNanos;
      onPause.run();
    }

    @Override
    public void collect() {
      onCollect.run();
      alive = nextAlive;
      collections++;
      wholeCollections++;
      nanos += collectingNanos;
    }

    @Override
    public long wholeCollections() {
      return wholeCollections;
    }

    @Override
    public long free() {
      return free;
    }

    @Override
    public long room() {
      return room;
    }

    @Override
    public long nanoTime() {
      return nanos;
    }
  }

  @Test
  void whatIsAliveBesideTheBudgetsCounts() {
    Found found = new Found();
    found.alive = 80;
    found.nextAlive = 95; // and what the first request has allocated by then
    found.collections = 1;
    HeapUse heap = new HeapUse(100, found);
    CircuitBreaker request = new CircuitBreaker("request", 1000, heap);

    assertThat(heap.bytes()).isEqualTo(80);
    request.begin("<fits>").add(15);
    Refusal refusal =
        catchThrowableOfType(Refusal.class, () -> request.begin("<does not>").add(15));

    assertThat(refusal.reason()).contains("[parent] Data too large, data for [<does not>]");
    assertThat(heap.tripped()).isEqualTo(1);
    assertThat(request.bytes()).isEqualTo(15);
  }

  @Test
  void nobodyIsRefusedForWhatDiedSince() {
    Found found = new Found();
    found.alive = 99;
    found.nextAlive = 20;
    found.collections = 1;
    HeapUse heap = new HeapUse(100, found);
    CircuitBreaker request = new CircuitBreaker("request", 1000, heap);

    assertThatCode(() -> request.begin("<later>").add(50)).doesNotThrowAnyException();
    assertThat(found.collections).isEqualTo(2);
  }

  @Test
  void collectsNotForEveryRefusal() {
    Found found = new Found();
    found.alive = 99;
    found.nextAlive = 99;
    found.collections = 1;
    HeapUse heap = new HeapUse(90, found);

    for (int i = 0; i < 10; i++) {
      assertThat(catchThrowableOfType(Refusal.class, () -> heap.check(0, "<poll>", LARGE)))
          .isNotNull();
    }
    assertThat(found.collections).isEqualTo(2);
    found.nanos = 6_000_000_000L;
    assertThat(catchThrowableOfType(Refusal.class, () -> heap.check(0, "<poll>", LARGE)))
        .isNotNull();
    assertThat(found.collections).isEqualTo(3);
  }

  /// Else this test never ends. Whoever has it collected may have little of the processors, and
  /// small requests compare all the time.
  @Test
  void whoFindsRoomDoesNotWaitForWhoHasItCollected() throws Exception {
    Found found = new Found();
    found.alive = 99;
    found.nextAlive = 20;
    found.free = 50;
    CountDownLatch isCollecting = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    found.onCollect =
        () -> {
          isCollecting.countDown();
          try {
            mayGoOn.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    HeapUse heap = new HeapUse(90, found);
    Thread large = Thread.ofPlatform().start(() -> heap.check(1, "<large>", LARGE));
    isCollecting.await();

    heap.check(1, "<small>", 1);
    assertThat(heap.hasRoomFor(1)).isFalse();

    mayGoOn.countDown();
    large.join();
    assertThat(heap.bytes()).isLessThan(99);
  }

  /// On a machine without time a collection of 2 GB takes seconds, in which nobody is answered.
  @Test
  void collectsForATenthOfTheTime() {
    Found found = new Found();
    found.alive = 99;
    found.nextAlive = 99;
    found.collectingNanos = 2_000_000_000L;
    HeapUse heap = new HeapUse(90, found);

    for (int second = 0; second < 44; second++) {
      assertThat(catchThrowableOfType(Refusal.class, () -> heap.check(0, "<poll>", LARGE)))
          .isNotNull();
      found.nanos += 1_000_000_000L;
    }
    assertThat(found.wholeCollections).as("of 2 s each").isEqualTo(3);
  }

  /// Young collections say of what is old that it is there, not that it is alive.
  @Test
  void whatYoungCollectionsDidNotLookAtCountsUntilSomebodyLooks() {
    Found found = new Found();
    HeapUse heap = new HeapUse(100, found);
    CircuitBreaker request = new CircuitBreaker("request", 1000, heap);
    request.begin("<held>").add(60);
    found.nextAlive = 110; // 60 of which are the budget's
    found.alive = 110;
    found.collections++;
    assertThat(heap.bytes()).isEqualTo(110);

    assertThat(catchThrowableOfType(Refusal.class, () -> heap.check(0, "<poll>", LARGE)))
        .isNotNull();
    assertThat(found.wholeCollections).isEqualTo(1);

    // Just after it was looked at: garbage refuses nobody.
    found.nanos += 6_000_000_000L;
    found.nextAlive = 80;
    heap.check(0, "<poll>", LARGE);
    found.alive = 130;
    found.collections++;
    heap.check(0, "<poll>", LARGE);
    assertThat(heap.bytes()).isEqualTo(130);
    assertThat(found.wholeCollections).isEqualTo(2);
  }

  @Test
  void theLimitIsWhatCollectionsHaveRoomFor() {
    Found found = new Found();
    found.room = 64;
    HeapUse heap = new HeapUse(100, found);

    assertThat(heap.limit()).as("small requests find room beyond").isEqualTo(60);
    assertThat(heap.limitDefault()).isEqualTo(60);
  }

  /// Budgets are asked in steps, which are larger than what most requests need.
  @Test
  void whatIsTakenAheadOfNeedRefusesNobody() {
    Found found = new Found();
    found.alive = 900 << 10;
    found.nextAlive = found.alive;
    found.collections = 1;
    HeapUse heap = new HeapUse(1 << 20, found);
    CircuitBreaker request = new CircuitBreaker("request", 1 << 30, heap);

    request.begin("<small>").add(1000);

    assertThat(request.bytes()).isEqualTo(1000);
    assertThat(found.collections).isEqualTo(1);
  }

  @Test
  void smallRequestsAreRefusedLast() {
    Found found = new Found();
    found.alive = 104;
    found.nextAlive = 104;
    found.collections = 1;
    HeapUse heap = new HeapUse(100, found);

    heap.check(0, "<small>", 10);
    assertThat(found.collections).as("nobody looks for a small one").isEqualTo(1);
    assertThat(catchThrowableOfType(Refusal.class, () -> heap.check(0, "<large>", LARGE)))
        .isNotNull();
    found.nextAlive = 107;
    found.nanos = 6_000_000_000L;
    found.alive = 107;
    found.collections++;
    assertThat(catchThrowableOfType(Refusal.class, () -> heap.check(0, "<small>", 10)))
        .as("the heap has no room for anybody")
        .isNotNull();
  }

  /// What a large request had that nobody counted is found by a collection, and gone a moment
  /// later.
  @Test
  void smallRequestsAreNotRefusedWhileTheHeapHasRoom() {
    Found found = new Found();
    found.alive = 150;
    found.nextAlive = 150;
    found.collections = 1;
    found.free = 40;
    HeapUse heap = new HeapUse(100, found);
    CircuitBreaker request = new CircuitBreaker("request", 1000, heap);

    heap.check(10, "<small>", 10);
    assertThat(found.collections).as("nor wait for a collection").isEqualTo(1);
    assertThat(catchThrowableOfType(Refusal.class, () -> heap.check(LARGE, "<large>", LARGE)))
        .isNotNull();
    assertThat(catchThrowableOfType(Refusal.class, () -> heap.check(0, "<poll>", 10)))
        .as("what nobody counted may be its own")
        .isNotNull();

    found.free = 1;
    assertThat(catchThrowableOfType(Refusal.class, () -> heap.check(10, "<small>", 10)))
        .as("the heap has no room for anybody")
        .isNotNull();

    found.free = 40;
    request.hold(60);
    assertThat(catchThrowableOfType(Refusal.class, () -> heap.check(10, "<small>", 10)))
        .as("budgets fill the heap")
        .isNotNull();
  }

  /// Where the heap is full of what is alive, the last collection of the whole is never old.
  @Test
  void smallRequestsAreNotRefusedForWhatWasFoundAWhileAgo() {
    Found found = new Found();
    found.alive = 150;
    found.nextAlive = 150;
    found.collectingNanos = 2_000_000_000L; // the next one is 20 s away
    HeapUse heap = new HeapUse(100, found);
    CircuitBreaker request = new CircuitBreaker("request", 1000, heap);
    request.hold(60);
    assertThat(catchThrowableOfType(Refusal.class, () -> heap.check(10, "<small>", 10)))
        .as("it was found just now")
        .isNotNull();

    found.nanos += 2_000_000_000L;
    assertThatCode(() -> heap.check(10, "<small>", 10)).doesNotThrowAnyException();
    assertThatCode(() -> heap.check(0, "<small poll>", 10)).doesNotThrowAnyException();
    assertThat(catchThrowableOfType(Refusal.class, () -> heap.check(LARGE, "<large>", LARGE)))
        .as("it may be alive")
        .isNotNull();
    assertThat(found.wholeCollections).as("nobody waited for another").isEqualTo(1);

    found.alive = 151;
    found.collections++;
    found.wholeCollections++;
    assertThat(catchThrowableOfType(Refusal.class, () -> heap.check(10, "<small>", 10)))
        .as("the heap was collected for want of room")
        .isNotNull();
  }

  private static void bound(Runnable work) {
    var _ =
        new StopSignal(() -> false, () -> false, () -> 0)
            .<Boolean, RuntimeException>during(() -> {
              work.run();
              return true;
            });
  }

  /// Those that fill the heap are refused for it, and end.
  @Test
  void smallRequestsWaitALittleForRoom() {
    Found found = new Found();
    found.nextAlive = 150;
    found.alive = 150;
    found.collections = 1;
    HeapUse heap = new HeapUse(100, found);
    assertThat(catchThrowableOfType(Refusal.class, () -> bound(() -> heap.check(1, "x", LARGE))))
        .isNotNull();
    long startNanos = found.nanos;
    assertThat(catchThrowableOfType(Refusal.class, () -> heap.check(1, "x", 1)))
        .as("what nothing ends waits for nobody")
        .isNotNull();
    assertThat(found.nanos).isEqualTo(startNanos);

    found.onPause =
        () -> {
          found.wholeCollections++; // finds as much again
          found.collections++;
          found.alive = found.nanos - startNanos >= 600_000_000 ? 50 : 150;
        };
    bound(() -> heap.check(0, "x", 1)); // one that only asks whether it may go on
    assertThat(found.nanos - startNanos).isEqualTo(600_000_000);

    found.onPause =
        () -> {
          found.wholeCollections++;
          found.collections++;
        };
    found.alive = 150;
    found.collections++;
    found.nextAlive = 150;
    long againNanos = found.nanos;
    assertThat(catchThrowableOfType(Refusal.class, () -> bound(() -> heap.check(1, "x", 1))))
        .as("for two seconds")
        .isNotNull();
    assertThat(found.nanos - againNanos).isEqualTo(2_000_000_000);
  }

  /// Each of them has a thread of a pool, and others need one, too.
  @Test
  void aDozenSmallRequestsWaitAtATime() {
    Found found = new Found();
    found.nextAlive = 150;
    found.alive = 150;
    found.collections = 1;
    HeapUse heap = new HeapUse(100, found);
    AtomicInteger waiting = new AtomicInteger();
    found.onPause =
        () -> {
          if (waiting.incrementAndGet() < 20) {
            bound(() -> heap.check(1, "x", 1)); // begins while the others wait
          }
        };

    assertThat(catchThrowableOfType(Refusal.class, () -> bound(() -> heap.check(1, "x", 1))))
        .isNotNull();

    assertThat(waiting).hasValue(12);
  }
}
