package dev.holdfast.indexing;

import static dev.holdfast.indexing.TestIndexingNode.index;
import static dev.holdfast.indexing.TestIndexingNode.update;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.world.ByteSize;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a request has in the log that is in no store is in memory.
final class UndurableBytesTest {
  @TempDir Path folder;

  @Test
  void aRequestOfUpdatesWaitsForTheStoreNowAndThen() throws Exception {
    CountingStore store = new CountingStore(new MemoryStore());
    ByteSize buffers = ByteSize.mib(16);
    TestIndexingNode node =
        new TestIndexingNode(
            store, folder, TestIndexingNode.config().withMemory(buffers, buffers, ByteSize.mib(4)));
    CountDownLatch isHeldUntil = new CountDownLatch(1);
    try {
      ShardId shard = node.create("i");
      node.awaitShards();
      WriteResult.Done _ =
          node.done(shard, index("1", "{\"text\": \"" + "x".repeat(200 << 10) + "\"}"));
      store.holdCreations("log/", isHeldUntil);
      List<WriteOperation> updates =
          IntStream.range(0, 30)
              .mapToObj(i -> update("1", "{\"doc\": {\"n\": " + i + "}}"))
              .toList();
      FutureTask<List<WriteResult>> writing =
          new FutureTask<>(() -> node.tier.write(shard, updates));
      Thread thread = Thread.ofPlatform().start(writing);
      while (thread.isAlive() && !isWaitingForTheLog(thread)) {
        Thread.onSpinWait();
      }

      assertThat(node.log.counters().bufferedBytes()).isBetween(1L << 20, 3L << 19);
      isHeldUntil.countDown();
      assertThat(writing.get()).hasSize(30).allMatch(WriteResult.Done.class::isInstance);
      assertThat(node.source(shard, "1")).contains("\"n\":29");
    } finally {
      isHeldUntil.countDown();
      node.close();
    }
  }

  private static boolean isWaitingForTheLog(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals("awaitDurable"));
  }
}
