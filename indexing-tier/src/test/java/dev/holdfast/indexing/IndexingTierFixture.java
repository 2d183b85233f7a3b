package dev.holdfast.indexing;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.objectstore.MemoryStore;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// What the tests of IndexingTier share.
public abstract class IndexingTierFixture {
  @TempDir public Path folder;

  public final CountingStore store = new CountingStore(new MemoryStore());

  @SuppressWarnings("NullAway.Init")
  public TestIndexingNode node;

  @BeforeEach
  void start() throws Exception {
    node = new TestIndexingNode(store, folder, TestIndexingNode.config());
  }

  @AfterEach
  void stop() throws Exception {
    node.close();
  }

  void crashAndRestart() throws Exception {
    node.crash();
    node = new TestIndexingNode(store, folder, TestIndexingNode.config());
  }

  static ClusterState withOpen(ClusterState state, boolean open) {
    return state.withIndex(Objects.requireNonNull(state.indices().get("books")).withOpen(open));
  }
}
