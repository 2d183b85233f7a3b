package dev.holdfast.world.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Work side by side: order, bounds, deadlines, failures.
@Timeout(30)
final class FanOutTest {
  private final World world = RealWorld.create();

  @AfterEach
  void close() {
    world.tasks().close();
  }

  @Test
  void valuesComeInTheOrderOfThePiecesThatRunAtOnce() throws Exception {
    CyclicBarrier together = new CyclicBarrier(3);
    List<Callable<Integer>> pieces =
        List.of(1, 2, 3).stream()
            .<Callable<Integer>>map(number ->
                () -> {
                  int _ = together.await();
                  return number;
                })
            .toList();

    assertThat(FanOut.of(world, "test").all(pieces)).containsExactly(1, 2, 3);
  }

  @Test
  void noMoreRunAtOnceThanAllowed() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Callable<Integer> piece =
        () -> {
          int now = running.incrementAndGet();
          int _ = most.accumulateAndGet(now, Math::max);
          Thread.onSpinWait();
          return running.decrementAndGet();
        };

    List<Integer> _ =
        FanOut.of(world, "test").atOnce(2).all(java.util.Collections.nCopies(64, piece));

    assertThat(most.get()).isBetween(1, 2);
    assertThat(running.get()).isZero();
  }

  @Test
  void aFailureIsThrownAndIsAnOutcome() throws Exception {
    List<Callable<String>> pieces =
        List.of(
            () -> "done",
            () -> {
              throw new IOException("broken");
            });

    assertThatThrownBy(() -> FanOut.of(world, "test").all(pieces))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("broken");
    assertThat(FanOut.of(world, "test").outcomes(pieces))
        .satisfiesExactly(
            first -> assertThat(first).isEqualTo(new FanOut.Done<>("done")),
            second ->
                assertThat(second)
                    .isInstanceOfSatisfying(
                        FanOut.Failed.class,
                        failed -> assertThat(failed.why()).hasMessage("broken")));
  }

  @Test
  void whatIsLateIsInterruptedWhenAskedFor() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    List<Callable<String>> pieces =
        List.of(
            () -> "done",
            () -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
              return "late";
            });

    List<FanOut.Outcome<String>> outcomes =
        FanOut.of(world, "test").within(Duration.ofMillis(100)).cancelling().outcomes(pieces);

    assertThat(outcomes).containsExactly(new FanOut.Done<>("done"), new FanOut.Late<>());
    interrupted.await();
  }

  @Test
  void someRunOnTheCallersThreadOnceTheOthersHaveBegun() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Thread caller = Thread.currentThread();
    List<Callable<Boolean>> pieces =
        List.of(
            () -> {
              begun.await();
              return Thread.currentThread() == caller;
            },
            () -> {
              begun.countDown();
              return Thread.currentThread() != caller;
            },
            () -> {
              throw new IOException("broken");
            });

    List<FanOut.Outcome<Boolean>> outcomes =
        FanOut.of(world, "test").outcomes(pieces, number -> number != 1);

    assertThat(outcomes.subList(0, 2))
        .containsExactly(new FanOut.Done<>(true), new FanOut.Done<>(true));
    assertThat(outcomes.get(2)).isInstanceOf(FanOut.Failed.class);
  }

  @Test
  void whoeverHasNothingToWaitForIsLate() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    AtomicInteger looks = new AtomicInteger();

    assertThatThrownBy(() ->
            FanOut.of(world, "test")
                .unless(Duration.ofMillis(1), () -> looks.incrementAndGet() == 3)
                .cancelling()
                .one(() -> {
                  try {
                    never.await();
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                  }
                  return "late";
                }))
        .isInstanceOf(TimeoutException.class);

    assertThat(looks).hasValue(3);
    interrupted.await();
  }

  @Test
  void severalHaveTheValueOfWhatWasBegunOnce() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch go = new CountDownLatch(1);

    Begun<Integer> begun =
        Begun.of(
            world,
            "test",
            () -> {
              go.await();
              return runs.incrementAndGet();
            });

    assertThat(begun.isDone()).isFalse();
    assertThatThrownBy(() -> begun.value(Duration.ofMillis(1)))
        .isInstanceOf(TimeoutException.class);
    go.countDown();
    assertThat(begun.value()).isEqualTo(1);
    assertThat(begun.value(Duration.ofSeconds(20))).isEqualTo(1);
    assertThat(begun.isDone()).isTrue();
  }

  @Test
  void whatIsSoughtIsFoundOrNull() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    Duration pause = Duration.ofMillis(1);

    String found =
        Await.found(
            world,
            Duration.ofSeconds(20),
            pause,
            () -> looks.incrementAndGet() == 3 ? "there" : null);
    String missing = Await.<String, RuntimeException>found(world, pause, pause, () -> null);

    assertThat(found).isEqualTo("there");
    assertThat(missing).isNull();
  }

  @Test
  void aWaitForAStateEndsWithItOrWithTheTime() throws Exception {
    AtomicInteger looks = new AtomicInteger();

    boolean came =
        Await.until(
            world,
            Duration.ofSeconds(20),
            Duration.ofMillis(1),
            () -> looks.incrementAndGet() == 3);
    boolean never = Await.until(world, Duration.ofMillis(5), Duration.ofMillis(1), () -> false);

    assertThat(came).isTrue();
    assertThat(looks).hasValue(3);
    assertThat(never).isFalse();
  }
}
