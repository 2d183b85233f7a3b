package dev.holdfast.indexing.shard;

import static dev.holdfast.indexing.TestIndexingNode.index;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.IndexingTierFixture;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A commit of which search copies never heard: whoever made it was interrupted before it was
/// durable. Found by seed 2007726 of the simulation: a node that was told to stop while its log was
/// refused.
class UntoldCommitTest extends IndexingTierFixture {
  @Test
  void aRefreshShowsWhatAnInterruptedStopHasCommitted() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, index("0", "{}"));
    node.tier.refresh(shard);
    CountDownLatch logAnswers = new CountDownLatch(1);
    store.holdCreations("log/", logAnswers);
    Thread _ = Thread.ofVirtual().start(() -> unchecked(() -> node.done(shard, index("1", "{}"))));
    IndexingShard open = Objects.requireNonNull(node.tier.openNow(shard));
    await(() -> open.engine.writer.hasUncommittedChanges());
    Duration max = Duration.ofSeconds(10);
    Thread stopping = Thread.ofPlatform().start(() -> interruptible(() -> open.finish(false, max)));
    await(() -> !open.engine.writer.hasUncommittedChanges());
    await(() -> stopping.getState() == Thread.State.WAITING);
    stopping.interrupt();
    assertThat(stopping.join(Duration.ofSeconds(10))).as("the stop gave up").isTrue();

    CompletableFuture<Map<String, String>> seen = new CompletableFuture<>();
    Thread _ =
        Thread.ofVirtual()
            .start(() ->
                unchecked(() -> {
                  node.tier.refresh(shard);
                  seen.complete(node.search.documents(shard));
                }));
    boolean isNotTold =
        seen.completeOnTimeout(Map.of(), 300, TimeUnit.MILLISECONDS).get().isEmpty();
    logAnswers.countDown();
    node.tier.refresh(shard);

    assertThat(isNotTold).as("no refresh is answered while the log is not").isTrue();
    assertThat(node.search.documents(shard)).containsOnlyKeys("0", "1");
  }

  private interface Action {
    void run() throws Exception;
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition) throws InterruptedException {
    for (int tries = 0; !condition.holds(); tries++) {
      assertThat(tries).as("waited for long enough").isLessThan(10_000);
      Thread.sleep(1);
    }
  }

  private static void interruptible(Action action) {
    try {
      action.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void unchecked(Action action) {
    try {
      action.run();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
