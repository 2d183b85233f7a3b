package dev.holdfast.indexing.relocation;

import static dev.holdfast.indexing.TestIndexingNode.index;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.objectstore.faulty.Faulty;
import dev.holdfast.objectstore.faulty.StoreFaults;
import dev.holdfast.objectstore.retry.Retrying;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Patience;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests for a shard that cannot be opened while the store refuses what that needs.
final class RefusedOpeningTest {
  @TempDir private Path folder = Path.of("");

  private final World world = RealWorld.create();
  private final Faulty store = new Faulty(new MemoryStore(), world, StoreFaults.NONE);
  private TestIndexingNode node;
  private ShardId shard;

  @BeforeEach
  void start() throws Exception {
    node = new TestIndexingNode(Retrying.forever(store, world), folder, TestIndexingNode.config());
    shard = node.create("books");
    store.refuse(StoreFailure.DENIED, shard.folder());
  }

  @AfterEach
  void stop() throws Exception {
    store.refuse(null, "");
    node.close();
  }

  @Test
  void whoWaitsIsToldWhatTheStoreSays() throws Exception {
    assertThatThrownBy(() -> node.done(shard, index("1", "{}")))
        .isInstanceOfSatisfying(
            Refusal.class, e -> assertThat(StoreTrouble.isTold(e)).as(e.toString()).isTrue())
        .hasMessageContaining("reason=denied")
        .hasMessageContaining("permit reads, writes, deletes and lists");

    store.refuse(null, "");
    while (true) {
      try {
        assertThat(node.done(shard, index("1", "{}")).version()).isOne();
        return;
      } catch (Refusal e) {
        assertThat(StoreTrouble.isTold(e)).isTrue(); // the next try is not made yet
      }
    }
  }

  @Test
  void whoHasLessPatienceWaitsNoLonger() throws Exception {
    Patience.SHARD.during(
        () -> Duration.ofSeconds(1),
        () -> {
          assertThatThrownBy(() -> node.done(shard, index("1", "{}")))
              .isInstanceOf(Refusal.class)
              .hasMessageContaining("Timeout: [1s]");
          return true;
        });
  }
}
