package dev.holdfast.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.indexing.node.LifeConfig;
import dev.holdfast.indexing.sweep.OrphanSweep;
import dev.holdfast.indexing.sweep.SweepCalls;
import dev.holdfast.indexing.sweep.SweepConfig;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.routing.TestTiers.TestNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A leader that holds no shards sweeps those of others.
@Timeout(60)
final class SweepTest {
  @TempDir Path folder;
  private TestTiers tiers;
  private TestNode leader;

  @BeforeEach
  void open() throws Exception {
    tiers = new TestTiers(folder);
    leader = tiers.start(Role.SEARCH);
  }

  @AfterEach
  void close() throws Exception {
    tiers.close();
  }

  private OrphanSweep sweep() {
    var node = leader.member.node;
    RemoteMembers peers = new RemoteMembers(leader.member.ownWorld, leader.member.wire, node);
    OrphanSweep sweep =
        new OrphanSweep(
            leader.member.ownWorld,
            tiers.cluster.store,
            new StoreClock(leader.member.ownWorld, tiers.cluster.store),
            node,
            node,
            member -> SweepCalls.at(peers.member(member)),
            new SweepConfig(Duration.ofMillis(50), Duration.ZERO, Duration.ofMillis(100)));
    sweep.start();
    return sweep;
  }

  private List<BlobId> blobs(ShardId shard) {
    try {
      return new CommitStore(tiers.cluster.store, shard).list();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aHollowShardsOldBlobsGoWithoutWakingIt() throws Exception {
    // given
    TestNode index =
        tiers.start(LifeConfig.defaults().withHollowAfter(Duration.ofMillis(300)), Role.INDEX);
    ShardId shard = leader.create("books", 1, 1);
    var _ = leader.index(shard, "a", "{\"a\":1}");
    leader.indexing.refresh(shard);
    var tier = Objects.requireNonNull(index.indexingTier);
    tiers.cluster.until("it is hollow", () -> tier.hollowShards() == 1);
    List<BlobId> live = blobs(shard);
    BlobId late = new BlobId(0, 7);
    tiers.cluster.store.put(late.key(shard), ObjectBody.of(new byte[100]));
    // when
    OrphanSweep sweep = sweep();
    // then
    tiers.cluster.until("the late blob is gone", () -> !blobs(shard).contains(late));
    tiers.cluster.until("all is tidy", () -> sweep.report().blobs() == blobs(shard).size());
    assertThat(blobs(shard)).isNotEmpty().isSubsetOf(live);
    assertThat(tier.hollowShards()).isOne();
    assertThat(leader.count(shard)).isOne();
  }

  @Test
  void aLogIsDeletedOnlyWhenItsShardsHaveMoved() throws Exception {
    // given
    TestNode dead = tiers.start(Role.INDEX);
    ShardId shard = leader.create("books", 1, 1);
    var _ = leader.index(shard, "a", "{\"a\":1}");
    String id = dead.id();
    OrphanSweep sweep = sweep();
    // when: the node dies, and nobody can take its shard
    dead.crash();
    tiers.cluster.until("it is evicted", () -> !leader.state().members().containsKey(id));
    tiers.cluster.until(
        "its log is needed", () -> shard.toString().equals(sweep.report().logsHeld().get(id)));
    // when: somebody takes the shard over
    tiers.start(Role.INDEX);
    // then
    tiers.cluster.until("its log is gone", () -> sweep.report().deletedLogFiles() > 0);
    leader.indexing.refresh(shard);
    assertThat(leader.count(shard)).isOne();
  }
}
