package dev.holdfast.clusterstate.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.clusterstate.TestCluster.TestMember;
import dev.holdfast.clusterstate.local.DataFolder;
import dev.holdfast.clusterstate.log.StateSurvey;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.ObjectStore.StoredObject;
import dev.holdfast.world.Network;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A store that is a copy of another, or was set back to what it was before, while nodes run.
final class CopiedStoreTest {
  private static final int OBJECTS_MAX = 10_000;

  @TempDir Path folder;

  private TestCluster cluster;
  private final AtomicInteger changes = new AtomicInteger();
  private final List<String> evictions = new CopyOnWriteArrayList<>();

  @BeforeEach
  void open() {
    cluster = new TestCluster(folder);
  }

  @AfterEach
  void close() throws Exception {
    cluster.close();
  }

  private static ObjectStore copy(ObjectStore original) throws Exception {
    ObjectStore copy = new MemoryStore();
    replace(copy, original);
    return copy;
  }

  private static void replace(ObjectStore old, ObjectStore by) throws Exception {
    for (String key : keys(by)) {
      Optional<StoredObject> object = by.get(key);
      if (object.isPresent()) { // else somebody has deleted it meanwhile
        var _ = old.put(key, ObjectBody.of(object.get().bytes()));
      }
    }
    List<String> newer = new ArrayList<>(keys(old));
    newer.removeAll(keys(by));
    old.deleteAll(newer);
  }

  private static List<String> keys(ObjectStore store) throws Exception {
    return store.list("", "", OBJECTS_MAX).stream().map(Listed::key).toList();
  }

  /// A process over another store, which reaches the nodes of the cluster.
  private ClusterNode joinOver(ObjectStore store, DataFolder data) throws Exception {
    return joinOver("other", store, data, ClusterName.DEFAULT);
  }

  private ClusterNode joinOver(String id, ObjectStore store, DataFolder data, String clusterName)
      throws Exception {
    Network wire = cluster.network.at(id + ":9200");
    Network counted =
        new Network() {
          @Override
          public void serve(String call, Handler handler) {
            wire.serve(call, handler);
          }

          @Override
          public byte[] call(String address, String call, byte[] request, Duration deadline)
              throws IOException, InterruptedException {
            return wire.call(address, call, request, deadline);
          }

          @Override
          public void changeSecret() {
            changes.incrementAndGet();
          }
        };
    return ClusterNode.join(
        new Surroundings(
            cluster.world,
            store,
            counted,
            TestCluster.CONFIG,
            (node, durable, leads) -> {},
            clusterName),
        data,
        new Member(
            id,
            id,
            id + ":9200",
            new TreeSet<>(List.of(Role.values())),
            1 << 30,
            0,
            false,
            Build.here("test")),
        SelfReport.NOTHING,
        evictions::add);
  }

  @Test
  void aProcessOverACopyOfTheStoreIsNoMemberOfTheOriginal() throws Exception {
    // given: lease and secret of the copy lead to the leader of the original
    TestMember original = cluster.start();
    ObjectStore copy = copy(cluster.store);
    // when
    try (DataFolder data = DataFolder.lock(folder.resolve("other"));
        ClusterNode other = joinOver(copy, data)) {
      // then
      assertThat(other.leaderId()).isEqualTo("other");
      assertThat(other.current().members()).containsOnlyKeys("other");
      assertThat(original.node.current().members()).containsOnlyKeys("n0");
      assertThat(original.node.isStillMember()).isTrue();
      assertThat(original.evictions).isEmpty();
      assertThat(changes).as("nobody is left who could be called").hasValue(0);
    }
    cluster.until("what showed that it asks is gone", () -> isWithoutProbes(copy));
  }

  @Test
  void aProcessThatJoinsLeavesNothingBehind() throws Exception {
    cluster.start();

    TestMember follower = cluster.start();

    assertThat(follower.leads()).isFalse();
    cluster.until("what showed that it asks is gone", () -> isWithoutProbes(cluster.store));
  }

  private static boolean isWithoutProbes(ObjectStore store) {
    try {
      return store.list("probe/", "", 1).isEmpty();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /// As when two clusters are pointed at one prefix by mistake.
  @Test
  void aNodeOfAClusterWithAnotherNameIsNotTakenIn() throws Exception {
    try (DataFolder first = DataFolder.lock(folder.resolve("first"));
        ClusterNode leader = joinOver("other", cluster.store, first, "theirs");
        DataFolder second = DataFolder.lock(folder.resolve("second"))) {
      assertThatThrownBy(() -> joinOver("second", cluster.store, second, "ours"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is called [theirs], this node's cluster.name is [ours]")
          .cause()
          .isInstanceOfSatisfying(
              Refusal.class, why -> assertThat(ClusterName.isRefusal(why)).isTrue());
      assertThat(cluster.start().leads()).as("one without a name").isFalse();
      assertThat(leader.isStillMember()).isTrue();
    }
  }

  @Test
  void whoBeginsWithMembersOfWhichItHasOnlyReadIsNotUnderstoodByThem() throws Exception {
    // given: a copy whose lease is free, and whose state names a member that lives
    TestMember leader = cluster.start();
    cluster.start();
    cluster.until("two members", () -> leader.node.current().members().size() == 2);
    ObjectStore copy = copy(cluster.store);
    cluster.network.part("other:9200", leader.address);
    // when
    try (DataFolder data = DataFolder.lock(folder.resolve("other"));
        ClusterNode other = joinOver(copy, data)) {
      // then
      assertThat(other.leaderId()).isEqualTo("other");
      assertThat(changes).hasValue(1);
    }
  }

  @Test
  void whoFollowedItsMembersKeepsTheSecret() throws Exception {
    TestMember leader = cluster.start();
    cluster.start();
    cluster.until("two members", () -> leader.node.current().members().size() == 2);
    try (DataFolder data = DataFolder.lock(folder.resolve("other"));
        ClusterNode other = joinOver(cluster.store, data)) {
      leader.crash();

      cluster.until("another leads", () -> !other.leaderId().equals(leader.address.split(":")[0]));

      assertThat(changes).hasValue(0);
    }
  }

  @Test
  void nobodyGoesOnInAStoreThatWasSetBackToAnEarlierTerm() throws Exception {
    // given
    TestMember first = cluster.start();
    TestMember one = cluster.start();
    TestMember two = cluster.start();
    cluster.until("three members", () -> one.node.current().members().size() == 3);
    ObjectStore before = copy(cluster.store);
    first.crash();
    cluster.until("another leads", () -> one.leads() || two.leads());
    TestMember leader = one.leads() ? one : two;
    TestMember follower = one.leads() ? two : one;
    leader.node.update("create", s -> s.withIndex(TestCluster.index("books", 1, 0)));
    cluster.until("all know", () -> follower.node.current().indices().containsKey("books"));
    List<String> keys = keys(before);
    // when
    replace(cluster.store, before);
    // then
    cluster.until("the leader ends", () -> !leader.evictions.isEmpty());
    assertThat(leader.evictions).singleElement().asString().contains("the store was set back");
    leader.crash();
    cluster.until("the follower ends", () -> !follower.evictions.isEmpty());
    assertThat(follower.evictions).singleElement().asString().contains("the store was set back");
    assertThat(keys(cluster.store)).as("nothing was written over it").isEqualTo(keys);
  }

  @Test
  void aLeaderGoesOnInAStoreThatWasSetBackWithinItsTerm() throws Exception {
    // given
    TestMember leader = cluster.start();
    TestMember follower = cluster.start();
    cluster.until("two members", () -> leader.node.current().members().size() == 2);
    ObjectStore before = copy(cluster.store);
    leader.node.update("create", s -> s.withIndex(TestCluster.index("books", 1, 0)));
    // when
    replace(cluster.store, before);
    leader.node.update("create", s -> s.withIndex(TestCluster.index("songs", 1, 0)));
    // then: what could not be read any more is written anew
    StateSurvey survey = new StateSurvey(cluster.store);
    cluster.until("the state is whole", () -> isWhole(survey));
    assertThat(leader.evictions).isEmpty();
    follower.crash();
    leader.crash();
    assertThat(cluster.start().node.current().indices()).containsKeys("books", "songs");
  }

  private static boolean isWhole(StateSurvey survey) {
    try {
      return survey.look() instanceof StateSurvey.Finding.Whole whole
          && whole.state().indices().size() == 2;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
