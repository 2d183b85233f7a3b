package dev.holdfast.clusterstate.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.clusterstate.TestCluster.TestMember;
import dev.holdfast.clusterstate.allocation.Allocation;
import dev.holdfast.clusterstate.allocation.AllocationInputs;
import dev.holdfast.clusterstate.json.StateJson;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.clusterstate.lease.LeaseRegister;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Members of several builds in one cluster.
final class BuildsTest {
  private static final Build FIRST = new Build("first", 1, 1);
  private static final Build BOTH = new Build("both", 1, 2);
  private static final Build SECOND = new Build("second", 2, 2);

  @TempDir Path folder;

  private TestMember start(TestCluster cluster, Build build) throws Exception {
    cluster.build = build;
    return cluster.start();
  }

  @Test
  void theVersionGrowsWhenEveryMemberSpeaksALaterOne() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      // given: two members of the first build, and one of the next
      TestMember leader = start(cluster, FIRST);
      TestMember other = start(cluster, FIRST);
      TestMember next = start(cluster, BOTH);
      assertThat(next.node.current().minimumVersion()).isEqualTo(1);
      assertThat(Formats.areEnabled(next.node.current(), 2)).isFalse();
      // when: the others are upgraded one after another
      other.stop();
      TestMember upgraded = start(cluster, BOTH);
      assertThat(upgraded.node.current().minimumVersion()).isEqualTo(1);
      leader.stop();
      // then
      cluster.until("the version grows", () -> next.node.current().minimumVersion() == 2);
      assertThat(Formats.areEnabled(next.node.current(), 2)).isTrue();
      // and: it does not shrink, so the first build is not taken in again, and hears why
      assertThatThrownBy(() -> start(cluster, FIRST))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(
              "the cluster speaks version 2 of its formats, this node speaks 1 to 1:"
                  + " start a newer holdfast [build=first]");
      assertThat(next.node.current().minimumVersion()).isEqualTo(2);
    }
  }

  @Test
  void aBuildThatHasForgottenTheClustersVersionIsNotTakenIn() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      TestMember leader = start(cluster, FIRST);

      assertThatThrownBy(() -> start(cluster, SECOND))
          .hasMessageContaining("start an older holdfast");
      assertThatThrownBy(() -> start(cluster, Build.UNKNOWN))
          .hasMessageContaining("this node speaks 0 to 0");
      assertThat(leader.node.current().members()).hasSize(1);
    }
  }

  @Test
  void whileItIsHeldTheVersionStays() throws Exception {
    try (TestCluster cluster = new TestCluster(folder)) {
      TestMember first = start(cluster, FIRST);
      TreeMap<String, Object> hold = new TreeMap<>();
      hold.put(Formats.HOLD, "true");
      ClusterState _ = first.node.update("hold", state -> state.withSettings(hold));
      TestMember next = start(cluster, BOTH);
      first.stop();
      cluster.until("the next leads", next::leads);
      assertThat(next.node.current().minimumVersion()).isEqualTo(1);
      // when
      TestMember back = start(cluster, FIRST);
      // then: the upgrade can be taken back
      assertThat(back.node.current().members()).hasSize(2);
      back.stop();
      ClusterState _ = next.node.update("free", state -> state.withSettings(new TreeMap<>()));
      assertThat(next.node.current().minimumVersion()).isEqualTo(2);
    }
  }

  @Test
  void anOlderBuildDoesNotLeadAClusterOfNewerFormats() throws Exception {
    MemoryStore store = new MemoryStore();
    try (TestCluster cluster = new TestCluster(folder.resolve("a"), store)) {
      start(cluster, BOTH).stop();

      assertThatThrownBy(() -> start(cluster, FIRST))
          .hasMessageContaining("start a newer holdfast");
      // and: it is in nobody's way
      long begunNanos = cluster.world.clock().nanoTime();
      assertThat(start(cluster, SECOND).leads()).isTrue();
      assertThat(Duration.ofNanos(cluster.world.clock().nanoTime() - begunNanos))
          .isLessThan(TestCluster.CONFIG.leaseSilenceMax());
    }
  }

  /// A state as a newer build writes it: with a member that this one does not know at every place.
  private static ObjectNode newer(ObjectNode state) {
    state.putObject("tenants").put("a", 1);
    for (JsonNode index : state.path("indices")) {
      ((ObjectNode) index).put("tier", "cold");
      if (index.get("origin") instanceof ObjectNode origin) {
        origin.put("since", 5);
      }
    }
    state.path("members").forEach(member -> ((ObjectNode) member).put("rack", "r1"));
    state
        .path("assignments")
        .forEach(
            ofIndex -> ofIndex.forEach(shard -> ((ObjectNode) shard).put("newest_generation", 7)));
    return state;
  }

  private static ClusterState example() {
    ClusterState state =
        ClusterState.empty("uuid")
            .withIndex(TestCluster.index("books", 2, 1))
            .withIndex(TestCluster.index("films", 1, 1))
            .withMember(member("a"))
            .withMember(member("b"));
    IndexMetadata films = state.indices().get("films");
    return Allocation.next(
        state.withIndex(films.withOrigin(new IndexOrigin("o", 1), films.primaryTerms())),
        AllocationInputs.NONE);
  }

  private static Member member(String id) {
    return new Member(
        id, id, id + ":9200", new TreeSet<>(List.of(Role.values())), 1 << 30, 0, false, FIRST);
  }

  @Test
  void whatANewerBuildAddedSurvivesWhatAnOlderOneChanges() {
    // given
    ClusterState before = StateJson.full(newer(StateJson.full(example())));
    // when: everything around it is changed, in several ways
    IndexMetadata books = before.indices().get("books");
    ClusterState after =
        before
            .withIndex(books.withOpen(false))
            .withMember(before.members().get("a").draining())
            .withoutMember("b")
            .withSettings(new TreeMap<>())
            .withAssignment(new ShardId(books.id(), 1), ShardAssignment.NONE.withOwner("a"))
            .at(3, before.version() + 1);
    // then: whole, or as a difference, it is where it was
    ObjectNode whole = StateJson.full(after);
    assertThat(whole).isEqualTo(newer(whole.deepCopy()));
    ObjectNode delta = StateJson.delta(before, after);
    assertThat(StateJson.apply(before, delta)).isEqualTo(after);
    assertThat(delta.path("indices").path("books").path("tier").asText()).isEqualTo("cold");
    assertThat(delta.path("indices").has("films")).isFalse();
    assertThat(delta.has("tenants")).isFalse();
    assertThat(StateJson.full(StateJson.full(whole))).isEqualTo(whole);
    // and: it goes with what it belonged to
    ClusterState without = after.withoutIndex("books").withIndex(TestCluster.index("books", 1, 1));
    assertThat(StateJson.full(without.withoutIndex("films")).toString()).doesNotContain("cold");
  }

  @Test
  void whatANewerBuildChangesOrRemovesIsTaken() {
    ClusterState before = StateJson.full(newer(StateJson.full(example())));
    ObjectNode delta = StateJson.delta(before, before.at(1, 1));
    ObjectNode films = (ObjectNode) StateJson.full(before).path("indices").path("films");
    films.remove("tier");
    ((ObjectNode) delta.path("indices")).set("films", films);
    delta.putNull("tenants");

    ClusterState after = StateJson.apply(before, delta);

    ObjectNode whole = StateJson.full(after);
    assertThat(whole.has("tenants")).isFalse();
    assertThat(whole.path("indices").path("films").has("tier")).isFalse();
    assertThat(whole.path("indices").path("books").path("tier").asText()).isEqualTo("cold");
  }

  @Test
  void whatANewerMemberProposesPassesThroughAnOlderLeaderIntoTheStore() throws Exception {
    MemoryStore store = new MemoryStore();
    try (TestCluster cluster = new TestCluster(folder, store)) {
      // given: a leader and a follower of this build, and a member that says more
      TestMember leader = cluster.start();
      TestMember newer = cluster.start();
      TestMember follower = cluster.start();
      ClusterState _ =
          leader.node.update("create", state -> state.withIndex(TestCluster.index("i", 1, 1)));
      ClusterState base = leader.node.current();
      ClusterState proposed = StateJson.full(newer(StateJson.full(base)));
      MemberMessages.Proposal proposal =
          new MemberMessages.Proposal(
              newer.node.nodeEphemeralId(),
              "more",
              base.version(),
              StateJson.delta(base, proposed));
      MemberCalls peers = new MemberCalls(newer.wire, newer.node.nodeEphemeralId());
      MemberMessages.Verdict verdict =
          MemberMessages.Verdict.of(
              peers.call(
                  new MemberCalls.Peer(leader.node.nodeEphemeralId(), leader.address),
                  MemberMessages.PROPOSE,
                  proposal.json(),
                  Duration.ofSeconds(10)));
      assertThat(verdict.isTaken()).isTrue();
      // when: the others change the same things, and another leads
      ClusterState _ =
          follower.node.update(
              "close", state -> state.withIndex(state.indices().get("i").withOpen(false)));
      leader.crash();
      cluster.until("another leads", () -> newer.leads() || follower.leads());
      // then
      ObjectNode whole = StateJson.full((newer.leads() ? newer : follower).node.current());
      assertThat(whole.path("tenants").path("a").asInt()).isEqualTo(1);
      assertThat(whole.path("indices").path("i").path("open").asBoolean()).isFalse();
      assertThat(whole.path("indices").path("i").path("tier").asText()).isEqualTo("cold");
    }
  }

  @Test
  void whatANewerLeaderAddedToTheLeaseStays() throws Exception {
    // given
    MemoryStore store = new MemoryStore();
    LeaseRegister register = new LeaseRegister(store);
    Lease lease = Lease.none().claimedBy("newer", "n:1");
    var _ =
        store.compareAndSet(
            Lease.KEY, null, Lease.seal(lease.json().set("zone", Json.object().put("a", 1))));
    // when
    LeaseRegister.Read read = register.read();
    Optional<LeaseRegister.Read> challenged =
        register.replace(read, read.lease().challengedBy("older"));
    Optional<LeaseRegister.Read> _ =
        register.replace(challenged.orElseThrow(), challenged.get().lease().beating());
    // then
    assertThat(
            Lease.open(store.get(Lease.KEY).orElseThrow().bytes()).path("zone").path("a").asInt())
        .isEqualTo(1);
    assertThat(register.read().lease().beat()).isEqualTo(lease.beat() + 1);
  }
}
