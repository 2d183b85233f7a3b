package dev.holdfast.clusterstate.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.MovingTiers;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.clusterstate.TestCluster.TestMember;
import dev.holdfast.clusterstate.allocation.Allocation;
import dev.holdfast.clusterstate.allocation.Draining;
import dev.holdfast.clusterstate.allocation.ShardLoad;
import dev.holdfast.world.Refusal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Several nodes as one cluster: who leads, what all know, and what becomes of the dead.
class ManyNodesTest {
  @TempDir Path folder;

  private TestCluster cluster;

  @BeforeEach
  void open() {
    cluster = new TestCluster(folder);
  }

  @AfterEach
  void close() throws Exception {
    cluster.close();
  }

  @Test
  void anUpdateThroughAnyNodeIsKnownToAllWhenItReturns() throws Exception {
    TestMember leader = cluster.start();
    TestMember follower = cluster.start();
    TestMember other = cluster.start();
    List<Long> seen = new ArrayList<>();
    other.node.listen((before, now) -> seen.add(now.version()));

    follower.node.update("create", s -> s.withIndex(TestCluster.index("books", 2, 1)));

    assertThat(leader.node.current().indices()).containsKey("books");
    assertThat(other.node.current().indices()).containsKey("books");
    assertThat(follower.node.current()).isEqualTo(leader.node.current());
    assertThat(leader.node.current().members()).hasSize(3);
    assertThat(seen).isSorted().doesNotHaveDuplicates().hasSizeGreaterThan(1);
    assertThat(follower.node.leaderId()).isEqualTo("n0");
  }

  @Test
  void racingUpdatesOfAllNodesAreAllApplied() throws Exception {
    List<TestMember> members = List.of(cluster.start(), cluster.start(), cluster.start());
    CountDownLatch done = new CountDownLatch(60);
    for (int i = 0; i < 60; i++) {
      int number = i;
      cluster
          .world
          .tasks()
          .start(
              "updater",
              () -> {
                members
                    .get(number % 3)
                    .node
                    .update("create", s -> s.withIndex(TestCluster.index("index-" + number, 1, 1)));
                done.countDown();
              });
    }
    done.await();

    for (TestMember member : members) {
      assertThat(member.node.current().indices()).hasSize(60);
    }
  }

  @Test
  void theLeaderSpreadsShardsThatAFollowerReportsAsHot() throws Exception {
    // given
    TestMember leader = cluster.start();
    TestMember follower = cluster.start();
    MovingTiers.follow(cluster, leader);
    MovingTiers.follow(cluster, follower);
    leader.node.update("create", s -> s.withIndex(TestCluster.index("books", 8, 1)));
    String busy = follower.node.nodeEphemeralId();
    cluster.until("balanced by number", () -> ownedBy(leader, busy).size() == 4);
    List<ShardId> hot = ownedBy(leader, busy);
    // when
    follower.load = hot.stream().collect(Collectors.toMap(s -> s, s -> new ShardLoad(1, 0)));
    // then
    cluster.until(
        "hot shards on both",
        () -> ownedBy(leader, busy).stream().filter(hot::contains).count() == 2);
  }

  private static List<ShardId> ownedBy(TestMember asked, String owner) {
    ClusterState state = asked.node.current();
    return Allocation.shards(state).stream()
        .filter(shard -> state.assignment(shard).owner().equals(owner))
        .toList();
  }

  @Test
  void aRefusalOfAChangeReachesItsCallerOnAFollower() throws Exception {
    cluster.start();
    TestMember follower = cluster.start();
    ClusterState before = follower.node.current();

    assertThatThrownBy(() ->
            follower.node.update(
                "refused",
                s -> {
                  throw Refusal.badArgument("no");
                }))
        .isInstanceOf(Refusal.class)
        .hasMessage("no");
    assertThat(follower.node.current()).isSameAs(before);
  }

  @Test
  void aFollowerTakesOverFromALeaderThatDied() throws Exception {
    TestMember leader = cluster.start();
    TestMember follower = cluster.start();
    leader.node.update("create", s -> s.withIndex(TestCluster.index("books", 3, 1)));

    leader.crash();
    follower.node.update("create", s -> s.withIndex(TestCluster.index("more", 1, 1)));

    ClusterState now = follower.node.current();
    assertThat(follower.leads()).isTrue();
    assertThat(now.term()).isEqualTo(2);
    assertThat(now.members()).containsOnlyKeys("n1");
    assertThat(now.indices()).containsOnlyKeys("books", "more");
    assertThat(now.assignments().get("uuid-books"))
        .extracting(ShardAssignment::owner)
        .containsOnly("n1");
    assertThat(cluster.fenced).containsExactly("n0");
    assertThat(follower.node.isStillMember()).isTrue();
    assertThat(follower.evictions).isEmpty();
  }

  @Test
  void oneOfSeveralFollowersTakesOverAndTheOthersFollowIt() throws Exception {
    TestMember leader = cluster.start();
    List<TestMember> others = List.of(cluster.start(), cluster.start(), cluster.start());

    leader.crash();
    cluster.until(
        "one leader",
        () ->
            others.stream().filter(TestMember::leads).count() == 1
                && others.stream()
                    .allMatch(m ->
                        m.node.current().members().size() == 3
                            && m.node.current().term() == others.get(0).node.current().term()));
    for (TestMember other : others) {
      other.node.update("setting", s -> s.withIndex(TestCluster.index(other.address, 1, 1)));
    }

    for (TestMember other : others) {
      assertThat(other.node.current().indices()).hasSize(3);
      assertThat(other.evictions).isEmpty();
      assertThat(other.node.isStillMember()).isTrue();
    }
  }

  @Test
  void aFollowerThatStopsIsForgottenAtOnceAndOneThatDiesIsFencedFirst() throws Exception {
    TestMember leader = cluster.start();
    TestMember stopping = cluster.start();
    TestMember dying = cluster.start();

    stopping.stop();
    assertThat(leader.node.current().members()).containsOnlyKeys("n0", "n2");
    assertThat(cluster.fenced).isEmpty();

    dying.crash();
    cluster.until("evicted", () -> leader.node.current().members().size() == 1);
    assertThat(cluster.fenced).containsExactly("n2");
    assertThat(leader.node.isStillMember()).isTrue();
  }

  @Test
  void aMemberThatIsCutOffIsEvictedServesNoMoreAndLearnsIt() throws Exception {
    TestMember leader = cluster.start();
    TestMember lonely = cluster.start();
    assertThat(lonely.node.mayServe()).isTrue();

    cluster.network.part(leader.address, lonely.address);
    cluster.until("evicted", () -> leader.node.current().members().size() == 1);
    cluster.until("not served", () -> !lonely.node.mayServe());
    assertThatThrownBy(lonely.node::isStillMember).isInstanceOf(java.io.IOException.class);

    cluster.network.healAll();
    cluster.until("told", () -> !lonely.evictions.isEmpty());
    assertThat(lonely.node.isStillMember()).isFalse();
    assertThat(leader.node.isStillMember()).isTrue();
    assertThat(leader.leads()).isTrue();
  }

  /// What it holds in memory is of the time before others took its shards.
  @Test
  void aMemberThatWasEvictedDoesNotLeadWhenItTakesTheLease() throws Exception {
    TestMember leader = cluster.start();
    TestMember lonely = cluster.start();
    cluster.network.part(leader.address, lonely.address);
    cluster.until("evicted", () -> leader.node.current().members().size() == 1);

    leader.crash();

    cluster.until("it knows", () -> !lonely.evictions.isEmpty());
    assertThat(lonely.leads()).isFalse();
    TestMember other = cluster.start();
    assertThat(other.leads()).isTrue();
    cluster.until("the dead are forgotten", () -> other.node.current().members().size() == 1);
    assertThat(cluster.fenced).containsExactly("n1", "n0");
  }

  @Test
  void aLeaderThatIsCutOffFromMostIsReplacedAndEvictsNobody() throws Exception {
    TestMember leader = cluster.start();
    List<TestMember> others = List.of(cluster.start(), cluster.start(), cluster.start());

    cluster.network.part(leader.address, others.get(0).address);
    cluster.world.sleeper().sleep(TestCluster.CONFIG.memberSilenceMax().dividedBy(4));
    for (TestMember other : others) {
      cluster.network.part(leader.address, other.address);
    }
    cluster.until(
        "one of the others leads",
        () ->
            others.stream().filter(TestMember::leads).count() == 1
                && others.stream().allMatch(m -> m.node.current().members().size() == 3));

    assertThat(others).allMatch(other -> other.evictions.isEmpty());
    assertThat(cluster.fenced).containsExactly("n0");
    cluster.network.healAll();
    cluster.until("told", () -> !leader.evictions.isEmpty());
  }

  @Test
  void aLeaderWhoseMembersAllDiedLeadsOnAlone() throws Exception {
    TestMember leader = cluster.start();
    List<TestMember> others = List.of(cluster.start(), cluster.start(), cluster.start());

    for (TestMember other : others) {
      other.crash();
    }
    cluster.until("alone", () -> leader.node.current().members().size() == 1);

    assertThat(leader.leads()).isTrue();
    assertThat(leader.node.isStillMember()).isTrue();
  }

  /// The second still counts as alive when the first is evicted, and never acknowledges that.
  @Test
  void aLeaderWhoseMembersDieOneAfterTheOtherForgetsBoth() throws Exception {
    TestMember leader = cluster.start();
    TestMember first = cluster.start();
    TestMember second = cluster.start();
    // Until they have said in a beat for how long they answer.
    cluster.world.sleeper().sleep(TestCluster.CONFIG.beatEvery().multipliedBy(3));

    first.crash();
    cluster.world.sleeper().sleep(TestCluster.CONFIG.refusedSilenceMax().dividedBy(2));
    second.crash();

    cluster.until("alone", () -> leader.node.current().members().size() == 1);
    assertThat(cluster.fenced).containsExactly("n1", "n2");
  }

  @Test
  void whileALeaderIsSilentAFollowerServesOnAsLongAsTheLeaseIsTheSame() throws Exception {
    TestMember leader = cluster.start();
    TestMember follower = cluster.start();

    cluster.network.cut(follower.address, leader.address);
    cluster.world.sleeper().sleep(TestCluster.CONFIG.contactMax().multipliedBy(3).dividedBy(2));

    assertThat(follower.node.mayServe()).isTrue();
    assertThat(leader.node.mayServe()).isTrue();
  }

  @Test
  void aStateReachesAMemberThatTheLeaderCannotCall() throws Exception {
    TestMember leader = cluster.start();
    TestMember follower = cluster.start();

    cluster.network.cut(leader.address, follower.address);
    cluster.network.healAll();
    cluster.network.lose(0.2);
    for (int i = 0; i < 5; i++) {
      String name = "index-" + i;
      leader.node.update("create", s -> s.withIndex(TestCluster.index(name, 1, 1)));
      follower.node.update("create", s -> s.withIndex(TestCluster.index("f-" + name, 1, 1)));
    }
    cluster.network.healAll();

    cluster.until("the same", () -> follower.node.current().equals(leader.node.current()));
    assertThat(leader.node.current().indices()).hasSize(10);
  }

  @Test
  void aProcessInTheFolderOfADeadOneTakesItsPlaceWithoutWaiting() throws Exception {
    TestMember leader = cluster.start();
    Path data = folder.resolve("again");
    TestMember first = cluster.startIn(data);

    first.crash();
    TestMember second = cluster.startIn(data);

    assertThat(second.node.current().members()).containsOnlyKeys("n0", "n2");
    assertThat(cluster.fenced).containsExactly("n1");
    assertThat(leader.node.current().members()).containsOnlyKeys("n0", "n2");
  }

  @Test
  void aDrainingMemberIsEmptyWhenItsShardsWereTakenByOthers() throws Exception {
    TestMember leader = cluster.start();
    TestMember leaving = cluster.start();
    for (TestMember member : List.of(leader, leaving)) {
      MovingTiers.follow(cluster, member);
    }
    leader.node.update("create", s -> s.withIndex(TestCluster.index("books", 8, 1)));

    leaving.node.drain();

    assertThat(Draining.isDone(leader.node.current(), "n1")).isTrue();
    assertThat(leader.node.current().assignments().get("uuid-books"))
        .allSatisfy(shard -> {
          assertThat(shard.owner()).isEqualTo("n0");
          assertThat(shard.copies()).containsOnlyKeys("n0");
        });
  }
}
