package dev.holdfast.clusterstate.membership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.allocation.LoadReport;
import dev.holdfast.clusterstate.json.MembersJson;
import dev.holdfast.clusterstate.json.StateJson;
import dev.holdfast.world.Json;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// What members say to each other.
final class MemberMessages {
  static final String JOIN = "cluster/join";
  static final String BEAT = "cluster/beat";
  static final String STATE = "cluster/state";
  static final String PROPOSE = "cluster/propose";
  static final String LEAVE = "cluster/leave";
  static final String PING = "cluster/ping";

  /// The leader has stopped in order: whoever is told first may lead.
  static final String STOPPED = "cluster/stopped";

  private MemberMessages() {}

  /// Asks to be a member.
  ///
  /// @param knownDead the earlier process of the same data folder; empty for none
  /// @param isShown whether it shows in its store that it asks ([JoinProof]); builds before this
  ///   one do not
  /// @param clusterName as its people call the cluster; empty for builds before this one
  record Join(Member member, String knownDead, boolean isShown, String clusterName) {
    ObjectNode json() {
      ObjectNode json = Json.object().put("id", member.id()).put("known_dead", knownDead);
      json.put("is_shown", isShown).put("cluster_name", clusterName);
      json.set("member", MembersJson.member(member));
      return json;
    }

    static Join of(JsonNode json) {
      return new Join(
          MembersJson.member(json.path("id").asText(), json.path("member")),
          json.path("known_dead").asText(),
          json.path("is_shown").asBoolean(),
          json.path("cluster_name").asText());
    }
  }

  /// A member lives.
  ///
  /// @param version of the newest state it has
  /// @param contactMax so long it answers by what this beat's answer says; builds before this one
  ///   do not say
  /// @param load how busy its shards are
  /// @param unreached members that it calls in vain
  record Beat(
      String id, long version, Duration contactMax, LoadReport load, SortedSet<String> unreached) {
    static final int UNREACHED_MAX = 1000;

    /// Of builds that do not say.
    static final Duration CONTACT_UNSAID = Duration.ofMillis(1_750);

    Beat {
      unreached = Collections.unmodifiableSortedSet(new TreeSet<>(unreached));
    }

    ObjectNode json() {
      ObjectNode json = Json.object().put("id", id).put("version", version);
      json.put("contact_millis", contactMax.toMillis());
      json.set("load", load.json());
      if (!unreached.isEmpty()) {
        ArrayNode ids = json.putArray("unreached");
        unreached.stream().limit(UNREACHED_MAX).forEach(ids::add);
      }
      return json;
    }

    static Beat of(JsonNode json) {
      SortedSet<String> unreached = new TreeSet<>();
      json.path("unreached").forEach(id -> unreached.add(id.asText()));
      return new Beat(
          json.path("id").asText(),
          json.path("version").asLong(),
          Duration.ofMillis(json.path("contact_millis").asLong(CONTACT_UNSAID.toMillis())),
          LoadReport.of(json.path("load")),
          unreached);
    }
  }

  /// What a leader confirms.
  ///
  /// @param generation the node-left generation up to which `isMember` holds
  /// @param ageNanos for how long, when this was said, the leader had not seen that it still leads:
  ///   a leader that was replaced unawares confirms what was true that long ago
  record Standing(long term, long generation, boolean isMember, long ageNanos) {
    ObjectNode json() {
      return Json.object()
          .put("term", term)
          .put("generation", generation)
          .put("is_member", isMember)
          .put("age_nanos", ageNanos);
    }

    /// Negative when this was said before that term and generation were reached, 0 at them.
    int compareTo(long otherTerm, long otherGeneration) {
      int byTerm = Long.compare(term, otherTerm);
      return byTerm != 0 ? byTerm : Long.compare(generation, otherGeneration);
    }

    static Standing of(JsonNode json) {
      return new Standing(
          json.path("term").asLong(),
          json.path("generation").asLong(),
          json.path("is_member").asBoolean(),
          json.path("age_nanos").asLong());
    }
  }

  /// A change to the state of version `base`.
  record Proposal(String member, String reason, long base, JsonNode delta) {
    ObjectNode json() {
      ObjectNode json = Json.object().put("member", member).put("reason", reason);
      json.put("base", base).set("delta", delta);
      return json;
    }

    static Proposal of(JsonNode json) {
      return new Proposal(
          json.path("member").asText(),
          json.path("reason").asText(),
          json.path("base").asLong(),
          json.path("delta"));
    }
  }

  /// The answer to a proposal: whether it was taken, and the state after.
  record Verdict(boolean isTaken, News news) {
    ObjectNode json() {
      ObjectNode json = Json.object().put("is_taken", isTaken);
      json.set("news", news.json());
      return json;
    }

    static Verdict of(JsonNode json) {
      return new Verdict(json.path("is_taken").asBoolean(), News.of(json.path("news")));
    }
  }

  /// A state as a leader tells it: whole, or what changed since one that the other has, or nothing
  /// when the other has the newest.
  record News(Standing standing, JsonNode state) {
    static News none(Standing standing) {
      return new News(standing, Json.object());
    }

    /// @param base what the other has; empty when that is not known
    static News of(Standing standing, Optional<ClusterState> base, ClusterState now) {
      return new News(
          standing, base.isPresent() ? StateJson.delta(base.get(), now) : StateJson.full(now));
    }

    ObjectNode json() {
      ObjectNode json = Json.object();
      json.set("standing", standing.json());
      json.set("state", state);
      return json;
    }

    static News of(JsonNode json) {
      return new News(Standing.of(json.path("standing")), json.path("state"));
    }

    /// The state told; empty when there is none, or it is a change of a state that is not ours.
    Optional<ClusterState> after(ClusterState ours) {
      if (state.isEmpty()) {
        return Optional.empty();
      }
      if (!state.has("base")) {
        return Optional.of(StateJson.full(state));
      }
      return state.path("base").asLong() == ours.version()
          ? Optional.of(StateJson.apply(ours, state))
          : Optional.empty();
    }
  }
}
