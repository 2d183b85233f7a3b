package dev.holdfast.world.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.Reservation;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.WorkMemory;
import dev.holdfast.world.WorkPool;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FairPoolTest {
  private final World world = RealWorld.create();

  @AfterEach
  void close() {
    world.tasks().close();
  }

  /// Two thousand that each looked fifty times a second had kept two processors busy with that.
  @Test
  void manyWhoWaitLookLessOftenEach() {
    long first = Duration.ofMillis(20).toNanos();

    assertThat(PlatformPool.nextLookNanos(first, 1)).isEqualTo(first);
    assertThat(PlatformPool.nextLookNanos(first, 2_000)).isEqualTo(2 * first);
    assertThat(PlatformPool.nextLookNanos(32 * first, 2_000))
        .isEqualTo(Duration.ofSeconds(1).toNanos());
    assertThat(PlatformPool.nextLookNanos(32 * first, 3)).isEqualTo(3 * first);
  }

  /// Else this test never ends: the long piece waits for the short one.
  @Test
  void whatRunsForLongKeepsNobodyFromAThread() throws Exception {
    WorkPool pool = world.tasks().fairPool("fair", 1, 10, Duration.ofMillis(50));
    CountDownLatch isShortDone = new CountDownLatch(1);
    CountDownLatch isLongRunning = new CountDownLatch(1);
    Tasks.Task asking =
        world
            .tasks()
            .start(
                "long",
                () ->
                    pool.call(() -> {
                      isLongRunning.countDown();
                      isShortDone.await();
                      return 0;
                    }));
    isLongRunning.await();
    int answer = pool.call(() -> 42);
    isShortDone.countDown();
    asking.join();
    assertThat(answer).isEqualTo(42);
    assertThat(pool.completed()).isEqualTo(2);
    assertThat(pool.queued()).isZero();
  }

  /// Else this test never ends, either: a dozen long pieces, as a few clients can ask for them.
  @Test
  void manyThatRunForLongKeepNobodyFromAThread() throws Exception {
    WorkPool pool = world.tasks().fairPool("fair", 1, 100, Duration.ofMillis(1));
    CountDownLatch isShortDone = new CountDownLatch(1);
    CountDownLatch areLongRunning = new CountDownLatch(12);
    List<Tasks.Task> asking = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      asking.add(
          world
              .tasks()
              .start(
                  "long",
                  () ->
                      pool.call(() -> {
                        areLongRunning.countDown();
                        isShortDone.await();
                        return 0;
                      })));
    }
    areLongRunning.await();
    int answer = pool.call(() -> 42);
    assertThat(pool.size()).as("beyond its own").isGreaterThan(pool.threads());
    isShortDone.countDown();
    for (Tasks.Task one : asking) {
      one.join();
    }
    assertThat(answer).isEqualTo(42);
    assertThat(pool.completed()).isEqualTo(13);
    assertThat(pool.largest()).isGreaterThanOrEqualTo(12);
  }

  @Test
  void aLongListTakesTurnsWithOthers() throws Exception {
    WorkPool pool = world.tasks().pool("turns", 1, 100);
    List<String> ran = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch isFirstRunning = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    List<Callable<Boolean>> list = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int number = i;
      list.add(() -> {
        if (number == 0) {
          isFirstRunning.countDown();
          mayGoOn.await();
        }
        return ran.add("long " + number);
      });
    }
    Tasks.Task listing = world.tasks().start("list", () -> pool.callAll(list));
    isFirstRunning.await();
    FutureTask<Boolean> asking = new FutureTask<>(() -> pool.call(() -> ran.add("small")));
    Thread small = Thread.ofPlatform().start(asking);
    while (pool.queued() < list.size() || small.getState() != Thread.State.WAITING) {
      Thread.onSpinWait(); // who waits for its result has put it into the queue
    }
    mayGoOn.countDown();
    listing.join();
    small.join();
    assertThat(ran).hasSize(21);
    assertThat(ran.indexOf("small")).isLessThan(3);
    assertThat(ran).filteredOn(one -> one.startsWith("long")).first().isEqualTo("long 0");
  }

  /// One request of many searches, as an `_msearch`, is one of all that wait.
  @Test
  void aRequestOfManyListsTakesTurnsWithOthers() throws Exception {
    WorkPool pool = world.tasks().pool("turns", 1, 100);
    List<String> ran = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch isFirstRunning = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    Tasks.Task first =
        world
            .tasks()
            .start(
                "first",
                () ->
                    pool.call(() -> {
                      isFirstRunning.countDown();
                      mayGoOn.await();
                      return 0;
                    }));
    isFirstRunning.await();
    List<Thread> asking = new ArrayList<>();
    Reservation request = Reservation.of(1);
    for (int i = 0; i < 10; i++) {
      int number = i;
      asking.add(
          queued(
              pool,
              () -> WorkMemory.during(request, () -> pool.call(() -> ran.add("many " + number)))));
    }
    asking.add(queued(pool, () -> pool.call(() -> ran.add("small"))));
    mayGoOn.countDown();
    first.join();
    for (Thread one : asking) {
      one.join();
    }
    assertThat(ran).hasSize(11);
    assertThat(ran.indexOf("small")).isLessThan(2);
    assertThat(ran).filteredOn(one -> one.startsWith("many")).first().isEqualTo("many 0");
  }

  /// Else this test never ends: all large work waits for the small one.
  @Test
  void largeWorkLeavesAThreadToSmall() throws Exception {
    WorkPool pool = world.tasks().fairPool("fair", 2, 100, Duration.ofHours(1));
    CountDownLatch isSmallDone = new CountDownLatch(1);
    CountDownLatch isLargeRunning = new CountDownLatch(1);
    List<Callable<Boolean>> large = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      large.add(() -> {
        isLargeRunning.countDown();
        isSmallDone.await();
        return true;
      });
    }
    FutureTask<List<Boolean>> asking = new FutureTask<>(() -> pool.callAllLarge(large));
    Thread asks = Thread.ofPlatform().start(asking);
    isLargeRunning.await();
    int answer = pool.call(() -> 42);
    isSmallDone.countDown();
    asks.join();
    assertThat(answer).isEqualTo(42);
    assertThat(asking.get()).hasSize(10);
    assertThat(pool.queued()).isZero();
  }

  @Test
  void smallWorkGoesFirstAndLargeHasATurnInAFew() throws Exception {
    Turns turns = new Turns();
    List<String> order = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      turns.add(new Object(), true, () -> order.add("large"));
    }
    for (int i = 0; i < 6; i++) {
      turns.add(new Object(), false, () -> order.add("small"));
    }
    while (order.size() < 9) {
      Turns.Turn turn = Objects.requireNonNull(turns.next(1));
      turn.work().run();
      if (turn.isLarge()) {
        turns.ended();
      }
    }
    assertThat(order)
        .containsExactly(
            "small", "small", "small", "small", "large", "small", "small", "large", "large");
  }

  @Test
  void aTurnThatLargeWorkMayNotHaveIsLeftUntilOtherLargeWorkHasEnded() {
    Turns turns = new Turns();
    turns.add(new Object(), true, () -> {});
    turns.add(new Object(), true, () -> {});
    assertThat(turns.next(1)).isNotNull();
    assertThat(turns.next(1)).isNull();
    assertThat(turns.again(0)).isZero();
    turns.ended();
    assertThat(turns.again(1)).isOne();
    assertThat(turns.again(1)).isZero();
    assertThat(turns.next(1)).isNotNull();
  }

  /// Asks on a thread of its own, and returns when that waits for its result.
  private static Thread queued(WorkPool pool, Callable<Boolean> asking) {
    int before = pool.queued();
    Thread thread = Thread.ofPlatform().start(new FutureTask<>(asking));
    while (pool.queued() == before || thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    return thread;
  }
}
