package dev.holdfast.indexing;

import static dev.holdfast.indexing.TestIndexingNode.index;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.objectstore.faulty.Faulty;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Patience;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Gets of documents that lie in the store, while it refuses to give them.
final class RefusedGetTest {
  /// Longer than what of a file is always on the heap, and not to be compressed.
  private static final String TEXT = "{\"a\":\"" + letters(4_000) + "\"}";

  @TempDir Path folder;

  private final World world = RealWorld.create();
  private final Faulty store = new Faulty(new MemoryStore(), world, StoreFaults.NONE);

  private static String letters(int count) {
    Random random = new Random(7);
    StringBuilder letters = new StringBuilder();
    for (int i = 0; i < count; i++) {
      letters.append((char) ('a' + random.nextInt(26)));
    }
    return letters.toString();
  }

  private TestIndexingNode node(String cache) throws Exception {
    return new TestIndexingNode(
        Retrying.forever(store, world), folder, folder.resolve(cache), TestIndexingNode.config());
  }

  @Test
  @Timeout(60)
  void aGetSaysWhatTheStoreSaysAndDoesNotWaitForItToComeBack() throws Exception {
    TestIndexingNode writing = node("first");
    ShardId shard = writing.create("books");
    writing.done(shard, index("1", TEXT));
    writing.close();
    TestIndexingNode node = node("second");
    try {
      assertThat(node.source(shard, "1")).isEqualTo(TEXT);
      assertThat(node.cache.clear(_ -> true)).isPositive();
      store.refuse(StoreFailure.DENIED, shard.folder());

      boolean _ =
          Patience.SHARD.during(
              () -> Duration.ofMillis(300),
              () -> {
                assertThatThrownBy(() -> node.source(shard, "1"))
                    .isInstanceOfSatisfying(
                        Refusal.class,
                        told -> {
                          assertThat(told.type()).isEqualTo(ErrorType.TIMEOUT);
                          assertThat(StoreTrouble.isTold(told)).isTrue();
                        })
                    .hasMessageStartingWith("[1]: the document cannot be read: the object store")
                    .hasMessageContaining(StoreFailure.DENIED.advice());
                return true;
              });

      store.refuse(null, "");
      assertThat(node.source(shard, "1")).isEqualTo(TEXT);
    } finally {
      store.refuse(null, "");
      node.close();
    }
  }
}
