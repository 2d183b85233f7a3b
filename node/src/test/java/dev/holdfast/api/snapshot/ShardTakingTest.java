package dev.holdfast.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.OnlineSplit;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.snapshot.SnapshottedShard;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a snapshot has of one shard.
final class ShardTakingTest {
  private static final String OWNER = "node";

  @TempDir Path folder;

  private static ClusterState state(ShardId shard, long term) {
    IndexMetadata index =
        new IndexMetadata(
            shard.index(),
            1,
            new TreeMap<>(),
            1,
            Json.object(),
            1,
            new TreeMap<>(),
            true,
            List.of(term));
    return ClusterState.empty("c")
        .withCustom("minimum_version", IntNode.valueOf(Formats.ONLINE_SPLIT))
        .withIndex(index)
        .withAssignment(shard, new ShardAssignment(OWNER, "", new TreeMap<>()));
  }

  private static ClusterState divided(ClusterState state, ShardId shard, long term) {
    IndexSplit.Part part = new IndexSplit.Part(0, term + 1, term, 1);
    return OnlineSplit.divided(OnlineSplit.begun(state, shard.index(), 2), shard, 1, OWNER, part);
  }

  /// What is taken of the shard once its index is closed: no owner is asked.
  private static SnapshottedShard taken(World world, ObjectStore store, ClusterState open)
      throws Exception {
    IndexMetadata index = Objects.requireNonNull(open.indices().get("books")).withOpen(false);
    IndexingShards nobody =
        (IndexingShards)
            Proxy.newProxyInstance(
                IndexingShards.class.getClassLoader(),
                new Class<?>[] {IndexingShards.class},
                (_, method, _) -> {
                  throw new AssertionError(method.getName());
                });
    return new ShardTaking(world, () -> open, nobody, store)
        .flushed(
            open.withIndex(index),
            index,
            new ShardId(index.id(), 0),
            new TreeSet<>(),
            Duration.ZERO)
        .shard();
  }

  /// Its owner may still be closing it, or may have died before: what its log has is acknowledged.
  @Test
  void aShardOfAClosedIndexIsNotTakenWithoutWhatOnlyItsLogHas() throws Exception {
    World world = RealWorld.create();
    ShardId shard;
    ClusterState state;
    try (NodeFixture node = new NodeFixture(folder)) {
      node.fill("books", 3);
      node.ok("POST", "/books/_flush", "");
      String uuid = node.json("/books/_settings").at("/books/settings/index/uuid").asText();
      shard = new ShardId(new IndexId("books", uuid), 0);
      try (ObjectStore store = store(world)) {
        CompoundCommit newest = new CommitStore(store, shard).newest().orElseThrow();
        BlobId home = newest.home();
        UploadMark mark = UploadMark.of(home.primaryTerm(), home.generation(), -1, "");
        state = UploadMarks.with(state(shard, newest.primaryTerm()), shard, mark);
        SnapshottedShard taken = taken(world, store, state);
        assertThat(taken.isThere()).isFalse();
        assertThat(taken.failure()).contains("not all that was written");
      }
    }
    try (ObjectStore store = store(world)) { // its owner has closed it
      assertThat(taken(world, store, state).documents()).isEqualTo(3);
    }
  }

  private ObjectStore store(World world) throws Exception {
    return Stores.open("file:" + folder.resolve("store"), new TreeMap<>(), world);
  }

  @Test
  void aShardIsNotTakenWithWhatItHasGivenAway() throws Exception {
    // given: a shard with documents
    String uuid;
    try (NodeFixture node = new NodeFixture(folder)) {
      node.fill("books", 3);
      uuid = node.json("/books/_settings").at("/books/settings/index/uuid").asText();
    }
    World world = RealWorld.create();
    try (ObjectStore store = store(world)) {
      ShardId shard = new ShardId(new IndexId("books", uuid), 0);
      long term = new CommitStore(store, shard).newest().orElseThrow().primaryTerm();
      ClusterState before = state(shard, term);
      // when: nobody has opened it since it was divided
      SnapshottedShard after = taken(world, store, divided(before, shard, term));
      // then
      assertThat(taken(world, store, before).documents()).isEqualTo(3);
      assertThat(after.isThere()).isFalse();
      assertThat(after.failure()).contains("was divided");
    }
  }
}
