package dev.holdfast.api.indices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.TranslogPosition;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Sleeper;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Closed indices that others are to begin with.
final class ClosedSourceTest {
  @TempDir Path folder;

  private final World real = RealWorld.create();

  /// In which a pause takes no time.
  private final World world = skipping();

  private World skipping() {
    AtomicLong nanos = new AtomicLong();
    Clock clock =
        new Clock() {
          @Override
          public long nanoTime() {
            return nanos.get();
          }

          @Override
          public long epochMillis() {
            return nanos.get() / 1_000_000;
          }
        };
    Sleeper sleeper = duration -> nanos.addAndGet(duration.toNanos());
    return new World(clock, sleeper, real.ids(), real.chance(), real.tasks());
  }

  @AfterEach
  void end() {
    real.tasks().close();
  }

  private ObjectStore store() throws Exception {
    return Stores.open("file:" + folder.resolve("store"), new TreeMap<>(), real);
  }

  /// A closed index whose shard has that commit for its newest as far as anybody was told.
  private static ClusterState state(IndexMetadata index, CompoundCommit newest) {
    BlobId home = newest.home();
    return UploadMarks.with(
        ClusterState.empty("c").withIndex(index),
        new ShardId(index.id(), 0),
        UploadMark.of(home.primaryTerm(), home.generation(), -1, ""));
  }

  private static IndexMetadata closed(IndexId id, long term) {
    return new IndexMetadata(
        id, 1, new TreeMap<>(), 1, Json.object(), 1, new TreeMap<>(), false, List.of(term));
  }

  /// Its owner may have died before it made its last commit: what only the log has would be
  /// missing.
  @Test
  void oneWhoseLogHasMoreThanItsCommitsIsRefused() throws Exception {
    IndexId id;
    try (NodeFixture node = new NodeFixture(folder)) {
      node.fill("books", 3);
      node.ok("POST", "/books/_flush", "");
      id =
          new IndexId(
              "books", node.json("/books/_settings").at("/books/settings/index/uuid").asText());
      try (ObjectStore store = store()) {
        CompoundCommit newest = new CommitStore(store, new ShardId(id, 0)).newest().orElseThrow();
        assertThat(newest.translog()).isNotEqualTo(TranslogPosition.NOTHING_TO_REPLAY);
        IndexMetadata index = closed(id, newest.primaryTerm());
        assertThatThrownBy(
                () -> new ClosedSource(world, store).requireWhole(state(index, newest), index))
            .isInstanceOfSatisfying(
                Refusal.class, refusal -> assertThat(refusal.type().status()).isEqualTo(400))
            .hasMessageContaining("not all that was written to shard [0] is in a commit");
        assertThat(world.clock().nanoTime()).isGreaterThan(Duration.ofSeconds(10).toNanos());
      }
    }
    try (ObjectStore store = store()) { // its owner has closed it
      CompoundCommit newest = new CommitStore(store, new ShardId(id, 0)).newest().orElseThrow();
      IndexMetadata index = closed(id, newest.primaryTerm());
      new ClosedSource(world, store).requireWhole(state(index, newest), index);
    }
  }
}
