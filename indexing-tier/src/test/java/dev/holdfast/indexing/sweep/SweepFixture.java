package dev.holdfast.indexing.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.TestIndexingNode;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/// What the tests of OrphanSweep share.
abstract class SweepFixture {
  static final Duration LONG = Duration.ofHours(1);

  static final Duration GRACE = Duration.ofMillis(600);

  final World world = RealWorld.create();

  final ObjectStore store = new MemoryStore();

  @TempDir Path folder;

  @AfterEach
  void stop() {
    world.tasks().close();
  }

  /// The leader as it knows itself.
  record Leader(boolean isStillMember) implements Ownership {
    @Override
    public String nodeEphemeralId() {
      return "leader";
    }

    @Override
    public boolean mayServe() {
      return isStillMember;
    }

    @Override
    public void evicted(String why) {}
  }

  /// A state that stays.
  record Fixed(ClusterState current) implements Metadata {
    @Override
    public String leaderId() {
      return "leader";
    }

    @Override
    public ClusterState update(String reason, UnaryOperator<ClusterState> change) {
      throw new UnsupportedOperationException(reason);
    }

    @Override
    public void listen(Listener listener) {
      listener.changed(current, current);
    }
  }

  OrphanSweep sweep(ObjectStore of, Metadata metadata, Ownership ownership, SweptShards to) {
    SweepConfig often = new SweepConfig(Duration.ofMillis(50), Duration.ZERO, GRACE);
    OrphanSweep sweep =
        new OrphanSweep(
            world, of, new StoreClock(world, of), metadata, ownership, member -> to, often);
    sweep.start();
    return sweep;
  }

  TestIndexingNode node(String name) throws Exception {
    TestIndexingNode node =
        new TestIndexingNode(
            store,
            folder.resolve("data"),
            folder.resolve(name),
            TestIndexingNode.config().withDeletionGrace(LONG));
    node.awaitShards();
    return node;
  }

  ShardId written(TestIndexingNode node, String index) throws Exception {
    ShardId shard = node.create(index);
    node.done(shard, TestIndexingNode.index("a", "{\"x\":1}"));
    node.tier.flush(shard);
    node.done(shard, TestIndexingNode.index("b", "{\"x\":2}"));
    return shard;
  }

  void until(String what, Check check) throws Exception {
    long deadline = world.clock().nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!check.holds()) {
      assertThat(world.clock().nanoTime()).as(what).isLessThan(deadline);
      world.sleeper().sleep(Duration.ofMillis(5));
    }
  }

  interface Check {
    boolean holds() throws Exception;
  }

  List<BlobId> blobs(ShardId shard) throws IOException {
    return new CommitStore(store, shard).list();
  }
}
