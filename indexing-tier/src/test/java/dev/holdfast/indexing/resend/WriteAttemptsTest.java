package dev.holdfast.indexing.resend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.node.ShardNotHere;
import dev.holdfast.indexing.operation.WriteAttempt;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.translog.WriteOrigin;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Sleeper;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Repetitions of a write whose answer was lost.
class WriteAttemptsTest {
  private static final ShardId SHARD = new ShardId(new IndexId("books", "uuid"), 0);
  private static final WriteAttempt FIRST = WriteAttempt.first(new WriteOrigin(1, 1, 1));

  private final WriteAttempts attempts =
      new WriteAttempts(
          new Sleeper() {
            @Override
            public void sleep(Duration duration) {
              throw new AssertionError("nobody sleeps here");
            }

            @Override
            public <T> T get(CompletableFuture<T> future, Duration max)
                throws InterruptedException, ExecutionException, TimeoutException {
              if (isOver.get()) {
                throw new TimeoutException();
              }
              return Sleeper.super.get(future, max);
            }
          });
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicInteger runs = new AtomicInteger();

  private List<WriteResult> write() {
    runs.incrementAndGet();
    return List.of();
  }

  @Test
  void aRepetitionSharesTheAnswerOfAnAttemptThatIsBeingDone() throws Exception {
    CountDownLatch isBegun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    CompletableFuture<List<WriteResult>> first = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            first.complete(
                attempts.run(
                    SHARD,
                    FIRST,
                    () -> {
                      isBegun.countDown();
                      mayEnd.await();
                      return write();
                    }));
          } catch (Exception e) {
            first.completeExceptionally(e);
          }
        });
    isBegun.await();
    CompletableFuture<List<WriteResult>> second = new CompletableFuture<>();
    Thread repetition =
        Thread.ofVirtual()
            .start(() -> {
              try {
                second.complete(attempts.run(SHARD, FIRST.next(), this::write));
              } catch (Exception e) {
                second.completeExceptionally(e);
              }
            });
    while (repetition.getState() != Thread.State.TIMED_WAITING && !second.isDone()) {
      Thread.onSpinWait();
    }

    mayEnd.countDown();

    assertThat(second.get(10, TimeUnit.SECONDS)).isSameAs(first.get(10, TimeUnit.SECONDS));
    assertThat(runs).hasValue(1);
  }

  @Test
  void aRepetitionWaitsOnlySoLong() throws Exception {
    isOver.set(true);
    List<WriteResult> results =
        attempts.run(
            SHARD,
            FIRST,
            () -> {
              assertThatThrownBy(() -> attempts.run(SHARD, FIRST.next(), this::write))
                  .isInstanceOf(IOException.class)
                  .hasMessageContaining("does not end");
              return write();
            });

    assertThat(results).isEmpty();
    assertThat(runs).hasValue(1);
  }

  @Test
  void anAttemptThatComesAfterItsRepetitionDoesNothing() throws Exception {
    var _ = attempts.run(SHARD, FIRST.next(), this::write);

    assertThatThrownBy(() -> attempts.run(SHARD, FIRST, this::write))
        .isInstanceOfSatisfying(Refusal.class, e -> assertThat(ShardNotHere.is(e)).isTrue());
    assertThat(runs).hasValue(1);
  }

  @Test
  void aRepetitionOfWhatHasEndedIsDone() throws Exception {
    var _ = attempts.run(SHARD, FIRST, this::write);
    var _ = attempts.run(SHARD, FIRST.next(), this::write);

    assertThat(runs).hasValue(2);
  }
}
