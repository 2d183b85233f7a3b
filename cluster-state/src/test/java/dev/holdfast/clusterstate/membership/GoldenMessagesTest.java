package dev.holdfast.clusterstate.membership;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexOrigin;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.clusterstate.ShardAssignment.Copy;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.TestCluster;
import dev.holdfast.clusterstate.allocation.Allocation;
import dev.holdfast.clusterstate.allocation.AllocationInputs;
import dev.holdfast.clusterstate.allocation.LoadReport;
import dev.holdfast.clusterstate.allocation.ShardLoad;
import dev.holdfast.clusterstate.json.StateJson;
import dev.holdfast.clusterstate.lease.Lease;
import dev.holdfast.clusterstate.log.StateLog;
import dev.holdfast.clusterstate.log.StateObjects;
import dev.holdfast.objectstore.MemoryStore;
import dev.holdfast.world.Golden;
import dev.holdfast.world.Ids;
import dev.holdfast.world.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// What this build and those before it say to members, and store of the cluster.
final class GoldenMessagesTest {
  private static final Member MEMBER =
      new Member(
          "id",
          "name",
          "host:9200",
          new TreeSet<>(List.of(Role.values())),
          1 << 30,
          1_700_000_000_000L,
          false,
          new Build("build", 1, 1));

  private static final MemberMessages.Join JOIN =
      new MemberMessages.Join(MEMBER, "dead", true, "ours");

  private static void message(String call, ObjectNode question, ObjectNode answer)
      throws Exception {
    for (String part : List.of("question", "answer")) {
      ObjectNode json = part.equals("question") ? question.put("to", "receiver") : answer;
      String name = "calls/" + call + "/v1/" + part;
      for (byte[] bytes : Golden.of(name, MemberCalls.seal(json))) {
        assertThat(MemberCalls.open(bytes, call).isObject()).isTrue();
      }
    }
  }

  private static ClusterState state() {
    TreeMap<String, Object> settings = new TreeMap<>();
    settings.put("cluster.name", "c");
    settings.put("list", List.of("a", "b"));
    IndexMetadata books = TestCluster.index("books", 2, 1);
    TreeMap<String, ObjectNode> aliases = new TreeMap<>();
    aliases.put("all", Json.object().put("is_write_index", true));
    ClusterState allocated =
        Allocation.next(
            Formats.raised(
                ClusterState.empty("uuid")
                    .withSettings(settings)
                    .withCustom("pipelines", Json.object().put("p", 1))
                    .withMember(MEMBER)
                    .withIndex(
                        books
                            .withAliases(aliases)
                            .withOrigin(new IndexOrigin("o", 1), books.primaryTerms())),
                MEMBER.build()),
            AllocationInputs.NONE);
    ClusterState state = allocated;
    for (ShardId shard : Allocation.shards(allocated)) {
      state =
          state.withAssignment(
              shard, allocated.assignment(shard).withCopy(MEMBER.id(), Copy.STARTING));
    }
    return state;
  }

  @Test
  void messagesHaveTheirGoldenBytes() throws Exception {
    MemberMessages.Standing standing = new MemberMessages.Standing(3, 2, true, 1_000_000);
    ClusterState before = state();
    ClusterState now = before.withoutIndex("books").at(3, 1);
    MemberMessages.News whole = MemberMessages.News.of(standing, Optional.empty(), before);
    MemberMessages.News changed = MemberMessages.News.of(standing, Optional.of(before), now);
    MemberMessages.Proposal proposal =
        new MemberMessages.Proposal("id", "why", before.version(), StateJson.delta(before, now));

    message(MemberMessages.JOIN, JOIN.json(), whole.json());
    message(MemberMessages.BEAT, beat().json(), MemberMessages.News.none(standing).json());
    message(
        MemberMessages.PROPOSE, proposal.json(), new MemberMessages.Verdict(true, changed).json());
    message(MemberMessages.STATE, changed.json(), Json.object().put("version", 4));
    message(MemberMessages.LEAVE, Json.object().put("id", "id"), Json.object());
    message(MemberMessages.PING, Json.object(), Json.object());
    message(MemberMessages.STOPPED, Json.object(), Json.object());
  }

  @Test
  void goldenMessagesAreUnderstood() throws Exception {
    for (byte[] bytes : Golden.of("calls/cluster/join/v1/question", join())) {
      MemberMessages.Join join =
          MemberMessages.Join.of(MemberCalls.open(bytes, MemberMessages.JOIN));
      assertThat(join.member()).isEqualTo(MEMBER);
      assertThat(join.knownDead()).isEqualTo("dead");
      assertThat(join.isShown())
          .as("builds before do not")
          .isEqualTo(!join.clusterName().isEmpty());
    }
  }

  private static MemberMessages.Beat beat() {
    TreeMap<String, ShardLoad> loads = new TreeMap<>();
    loads.put("uuid-books/0", new ShardLoad(0.5, 4096));
    return new MemberMessages.Beat(
        "id", 4, Duration.ofMillis(1_250), new LoadReport(loads), new TreeSet<>(List.of("lost")));
  }

  /// An old build's beat does not say for how long it answers: as long as those did.
  @Test
  void goldenBeatsSayForHowLongTheirMemberAnswers() throws Exception {
    byte[] now = MemberCalls.seal(beat().json().put("to", "receiver"));
    List<Long> millis = new ArrayList<>();
    for (byte[] bytes : Golden.of("calls/cluster/beat/v1/question", now)) {
      MemberMessages.Beat beat =
          MemberMessages.Beat.of(MemberCalls.open(bytes, MemberMessages.BEAT));
      millis.add(beat.contactMax().toMillis());
    }
    assertThat(millis).containsExactly(1_750L, 1_250L);
  }

  private static byte[] join() {
    return MemberCalls.seal(JOIN.json().put("to", "receiver"));
  }

  @Test
  void theLeaseAndTheSecretHaveTheirGoldenBytes() throws Exception {
    Lease lease = new Lease(3, "leader", "host:9200", 2, 7, "challenger", false, 3, 9);
    for (byte[] bytes : Golden.of("stored/lease", lease.bytes())) {
      assertThat(Lease.read(bytes)).isEqualTo(lease);
    }
    MemoryStore store = new MemoryStore();
    Ids ids =
        new Ids() {
          @Override
          public String documentId() {
            return "d";
          }

          @Override
          public String uuid() {
            return "u";
          }
        };
    byte[] secret = ClusterSecret.read(store, ids);
    byte[] object = store.get(ClusterSecret.KEY).orElseThrow().bytes();
    assertThat(secret).asString().isEqualTo("uu");
    assertThat(Golden.of("stored/secret", object)).isNotEmpty();
    assertThat(ClusterSecret.read(store, ids)).isEqualTo(secret);
  }

  @Test
  void statesHaveTheirGoldenBytes() throws Exception {
    // given: a whole state, a difference, and a fence
    MemoryStore store = new MemoryStore();
    StateLog log = new StateLog(store);
    ClusterState first = state().at(3, 5);
    ClusterState second = first.withoutIndex("books").at(3, 6);
    log.append(first.at(2, 4), first);
    log.append(first, second);
    assertThat(
            new StateLog(store)
                .fenceAndRead(3, new StateLog.By("next", false), Optional.empty())
                .map(StateLog.Known::state))
        .contains(second);
    // then
    List<String> kinds = List.of("full", "delta", "fence");
    for (int i = 0; i < kinds.size(); i++) {
      byte[] bytes =
          store.get("cluster/state/0000000000000003/000000000000000" + i).orElseThrow().bytes();
      for (byte[] golden : Golden.of("stored/state-" + kinds.get(i), bytes)) {
        JsonNode json = StateObjects.open(golden, kinds.get(i));
        assertThat(json.path("kind").asText()).isEqualTo(kinds.get(i));
        if (i == 0) {
          assertThat(StateJson.full(json).indices()).containsKey("books");
        }
      }
    }
  }
}
