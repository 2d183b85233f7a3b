package dev.holdfast.world.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Work side by side: order, bounds, deadlines, failures.
@Timeout(30)
final class FanOutTest {
  private final World world = World.real();

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
