package dev.holdfast.indexing.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.IndexingTierFixture;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.indexing.shard.IndexingShard;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.util.IOSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Indices that are deleted while somebody flushes, merges or refreshes them.
final class UploadOfTheGoneTest extends IndexingTierFixture {
  @Test
  void aFlushOfAnIndexThatIsDeletedMeanwhileIsRefusedAndNoFailure() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, TestIndexingNode.index("1", "{}"));
    IndexingShard open = Objects.requireNonNull(node.tier.openNow(shard));
    CountDownLatch held = new CountDownLatch(1);
    store.holdCreations("shards/", held);

    AtomicReference<@Nullable Throwable> answer = new AtomicReference<>();
    var flush = node.world.tasks().start("flush", () -> answer.set(catchThrowable(open::flush)));
    Await.until(
        node.world, Duration.ofSeconds(30), Duration.ofMillis(5), () -> store.creationsHeld() > 0);
    open.close();
    held.countDown();
    flush.join();

    assertIsUnavailable(answer.get());
  }

  @Test
  void aMergeOfAShardThatIsClosedIsRefusedAndNoFailure() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, TestIndexingNode.index("1", "{}"));
    IndexingShard open = Objects.requireNonNull(node.tier.openNow(shard));
    open.engine.writer
        .rollback(); // as a close that comes right behind the look at whether it is open

    assertIsUnavailable(catchThrowable(() -> open.forceMerge(1, false)));
  }

  /// What fails because its batches were closed is no failure of the shard.
  @Test
  void aShardIsClosedBeforeItsBatchesAre() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, TestIndexingNode.index("1", "{}"));
    IndexingShard open = Objects.requireNonNull(node.tier.openNow(shard));
    open.refresh(); // a commit is in the batch that is uploaded
    CountDownLatch looks = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    Tasks.Task flush =
        node.world
            .tasks()
            .start(
                "flush",
                () -> {
                  Thread freezing = Thread.currentThread();
                  node.changes.seenAs(state -> {
                    if (Thread.currentThread() == freezing) {
                      looks.countDown();
                      awaitQuietly(held);
                    }
                    return state;
                  });
                  Throwable _ = catchThrowable(open::upload);
                });
    assertThat(looks.await(30, TimeUnit.SECONDS)).as("the flush holds the batches").isTrue();

    Tasks.Task close = node.world.tasks().start("close", () -> catchThrowable(open::close));
    boolean isClosed =
        Await.until(
            node.world, Duration.ofSeconds(10), Duration.ofMillis(5), open.engine::isClosed);
    held.countDown();
    flush.join();
    close.join();

    assertThat(isClosed).isTrue();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// A merge of an index that is deleted fails, and its writer with it, while a refresh commits.
  @Test
  void aRefreshWhoseWriterAMergeFailsMeanwhileIsRefusedAndNoFailure() throws Exception {
    ShardId shard = node.create("books");
    node.done(shard, TestIndexingNode.index("1", "{}"));
    IndexingShard open = Objects.requireNonNull(node.tier.openNow(shard));
    open.refresh();
    node.done(shard, TestIndexingNode.delete("1"));
    IndexWriter writer = open.engine.writer;
    writer
        .getConfig()
        .setMergePolicy(
            new FilterMergePolicy(NoMergePolicy.INSTANCE) {
              @Override
              public boolean keepFullyDeletedSegment(IOSupplier<CodecReader> reader) {
                Tasks.Task _ =
                    node.world
                        .tasks()
                        .start(
                            "merge", () -> writer.onTragicEvent(new IOException("gone"), "merge"));
                awaitTragedy(writer);
                return false;
              }
            });

    assertIsUnavailable(catchThrowable(open::refresh));
    assertThat(writer.getTragicException()).hasMessage("gone");
  }

  private void awaitTragedy(IndexWriter writer) {
    try {
      boolean _ =
          Await.until(
              node.world,
              Duration.ofSeconds(30),
              Duration.ofMillis(5),
              () -> writer.getTragicException() != null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void assertIsUnavailable(@Nullable Throwable answer) {
    assertThat(answer).isInstanceOf(Refusal.class);
    assertThat(((Refusal) Objects.requireNonNull(answer)).type())
        .isEqualTo(ErrorType.UNAVAILABLE_SHARDS);
  }
}
