package dev.holdfast.clusterstate.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.MovingTiers;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.clusterstate.TestCluster.TestMember;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.clusterstate.allocation.Allocation;
import dev.holdfast.clusterstate.allocation.Draining;
import dev.holdfast.clusterstate.allocation.ShardLoad;
import dev.holdfast.objectstore.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A leader that is told to stop: nobody waits for it, and it waits for nobody who is gone.
class LeaderStopTest {
  @TempDir Path folder;

  @Test
  void aLeaderThatStopsHandsOverAtOnce() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      TestMember leader = cluster.start();
      TestMember follower = cluster.start();
      long start = cluster.world.clock().nanoTime();

      leader.stop();
      cluster.until("a new leader", follower::leads);

      long tookMillis = (cluster.world.clock().nanoTime() - start) / 1_000_000;
      assertThat(tookMillis).isLessThan(TestCluster.CONFIG.leaseSilenceMax().toMillis());
      assertThat(follower.node.current().members()).containsOnlyKeys("n1");
      assertThat(cluster.fenced).isEmpty();
      assertThat(leader.evictions).isEmpty();
    }
  }

  /// As when all nodes are told to stop at once: nobody acknowledges the leader's last state.
  @Test
  void aLeaderStopsThoughItsMemberHasDiedAMomentBefore() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      TestMember leader = cluster.start();
      TestMember member = cluster.start();
      member.crash();

      leader.stop();

      TestMember next = cluster.start();
      assertThat(next.leads()).isTrue();
      cluster.until("the dead are forgotten", () -> next.node.current().members().size() == 1);
      assertThat(cluster.fenced).containsExactly("n1");
    }
  }

  /// The first write to a shard that was moved waits for the state to hear that it is open.
  @Test
  void aLeaderThatDrainsLeadsUntilWhatItHadOpenIsOpenElsewhere() throws Exception {
    // It waits for a second at most.
    ClusterConfig patient = ClusterConfig.defaults().faster(2);
    try (TestCluster cluster = new TestCluster(folder, new MemoryStore(), patient)) {
      TestMember leader = cluster.start();
      TestMember other = cluster.start();
      MovingTiers.follow(cluster, leader);
      MovingTiers.follow(cluster, other);
      leader.node.update("create", s -> s.withIndex(TestCluster.index("books", 2, 1)));
      cluster.until("one each", () -> ownedBy(leader).size() == 1);
      ShardId open = ownedBy(leader).getFirst();
      leader.load = Map.of(open, new ShardLoad(1, 0));
      leader.open = Set.of(open);
      AtomicBoolean isOpening = new AtomicBoolean();
      other.node.listen((before, now) -> {
        if (now.assignment(open).owner().equals("n1") && !isOpening.getAndSet(true)) {
          cluster.world.tasks().start("opening", () -> opened(other, open));
        }
      });

      leader.node.drain();

      assertThat(UploadMarks.of(leader.node.current(), open).isMarked()).isTrue();
    }
  }

  /// Nobody opens it elsewhere before somebody needs it.
  @Test
  @Timeout(60)
  void aLeaderThatDrainsWaitsForNothingThatIsHollow() throws Exception {
    ClusterConfig fast = TestCluster.CONFIG;
    ClusterConfig patient =
        new ClusterConfig(
            fast.beatEvery(),
            fast.beatMax(),
            fast.callMax(),
            fast.beatsMissedMax(),
            fast.leasePollEvery(),
            fast.leaseSilenceMax(),
            fast.memberSilenceMax(),
            fast.refusedSilenceMax(),
            fast.refusalsMax(),
            Duration.ofMinutes(10),
            fast.proposeMax(),
            fast.updateMax(),
            fast.contactMax(),
            fast.serveMax(),
            fast.leaseReadMax(),
            fast.drainMax());
    try (TestCluster cluster = new TestCluster(folder, new MemoryStore(), patient)) {
      TestMember leader = cluster.start();
      TestMember other = cluster.start();
      MovingTiers.follow(cluster, leader);
      MovingTiers.follow(cluster, other);
      leader.node.update("create", s -> s.withIndex(TestCluster.index("books", 2, 1)));
      cluster.until("one each", () -> ownedBy(leader).size() == 1);
      ShardId hollow = ownedBy(leader).getFirst();
      leader.load = Map.of(hollow, new ShardLoad(0, 1000));

      leader.node.drain();

      assertThat(leader.node.current().assignment(hollow).owner()).isEqualTo("n1");
      assertThat(UploadMarks.of(leader.node.current(), hollow).isMarked()).isFalse();
    }
  }

  /// Later than the leader sees that it owns nothing any more.
  private static void opened(TestMember owner, ShardId shard) throws InterruptedException {
    owner.ownWorld.sleeper().sleep(Draining.POLL.multipliedBy(2));
    owner.node.update(
        "opened",
        state ->
            UploadMarks.with(
                state, Map.of(shard, UploadMark.of(state.primaryTerm(shard), 1, -1, "n1"))));
  }

  /// The leader's own shards.
  private static List<ShardId> ownedBy(TestMember leader) {
    ClusterState state = leader.node.current();
    return Allocation.shards(state).stream()
        .filter(shard -> state.assignment(shard).owner().equals("n0"))
        .toList();
  }
}
