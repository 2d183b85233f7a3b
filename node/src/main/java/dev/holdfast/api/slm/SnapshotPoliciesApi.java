package dev.holdfast.api.slm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.slm.StoredSnapshotPolicies.Stored;
import dev.holdfast.api.snapshot.SnapshotRoom;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.repository.Repositories;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.TimeValue;
import dev.holdfast.indexing.repository.RepositoryStores;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/// `_slm`: policies of snapshots, what they did, and whether they are followed.
public final class SnapshotPoliciesApi {
  private static final String INTERVAL_MIN = "slm.minimum_interval";
  private static final String INTERVAL_MIN_BY_DEFAULT = "15m";
  private static final List<String> STATS =
      List.of(
          "snapshots_taken", "snapshots_failed", "snapshots_deleted", "snapshot_deletion_failures");

  private final Metadata metadata;
  private final Clock clock;
  private final SnapshotPolicyRuns runs;
  private final RetentionRuns retention;

  private SnapshotPoliciesApi(
      Metadata metadata, Clock clock, SnapshotPolicyRuns runs, RetentionRuns retention) {
    this.metadata = metadata;
    this.clock = clock;
    this.runs = runs;
    this.retention = retention;
  }

  /// Follows the policies from now on.
  ///
  /// @param self this node's ephemeral id
  public static SnapshotPoliciesApi start(
      SnapshotRoom room, RepositoryStores stores, StoreClock storeClock, String self) {
    Metadata metadata = room.making().metadata();
    RetentionRuns retention =
        new RetentionRuns(room.making().world(), metadata, stores, room.deletion(), storeClock);
    SnapshotPolicyRuns runs = new SnapshotPolicyRuns(room.making(), retention, self);
    runs.start();
    return new SnapshotPoliciesApi(metadata, room.making().world().clock(), runs, retention);
  }

  public Answer put(ApiRequest request) throws InterruptedException {
    SnapshotPolicy policy =
        SnapshotPolicy.read(request.required("policy_id"), request.body().kept());
    long now = clock.epochMillis();
    metadata.update(
        "put-snapshot-lifecycle [" + policy.id() + "]",
        state -> {
          Object set = state.setting(INTERVAL_MIN);
          String least = set == null ? INTERVAL_MIN_BY_DEFAULT : set.toString();
          policy.requireNotTooFrequent(now, TimeValue.parse(INTERVAL_MIN, least).toMillis(), least);
          if (!Repositories.all(state).containsKey(policy.repository())) {
            throw Refusal.badArgument("no such repository [" + policy.repository() + "]");
          }
          return StoredSnapshotPolicies.with(state, policy, now);
        });
    return policy.schedule().nextAfter(now, now) >= 0
        ? Answer.acknowledged()
        : Answer.acknowledged()
            .warn(
                "the [schedule] of [" + policy.id() + "] never comes: no snapshot is taken by it");
  }

  public Answer get(ApiRequest request) {
    ClusterState state = metadata.current();
    SortedMap<String, Stored> all = StoredSnapshotPolicies.all(state);
    List<String> wanted = request.list("policy_id");
    List<String> missing =
        wanted.stream().filter(id -> !Wildcards.isPattern(id) && !all.containsKey(id)).toList();
    if (!missing.isEmpty()) {
      throw new Refusal(
          ErrorType.RESOURCE_NOT_FOUND,
          "snapshot lifecycle policy or policies "
              + missing
              + " not found"
              + (all.isEmpty() ? ", no policies are configured" : ""));
    }
    ObjectNode answer = Json.object();
    all.forEach((id, stored) -> {
      if (wanted.isEmpty() || wanted.stream().anyMatch(one -> Wildcards.matches(one, id))) {
        answer.set(id, shown(stored, request.human()));
      }
    });
    return Answer.of(200, answer);
  }

  private ObjectNode shown(Stored stored, boolean isHuman) {
    ObjectNode json = Json.object().put("version", stored.version());
    time(json, "modified_date", stored.modifiedMillis(), isHuman);
    json.set("policy", stored.policy().json());
    for (String last : List.of("last_success", "last_failure")) {
      JsonNode what = stored.kept().get(last);
      if (what != null) {
        ObjectNode ended = json.putObject(last);
        ended.put("snapshot_name", what.path("snapshot_name").asText());
        if (isHuman) {
          ended.put("start_time_string", date(what.path("start_time").asLong()));
          ended.put("time_string", date(what.path("time").asLong()));
        }
        ended.put("start_time", what.path("start_time").asLong());
        ended.put("time", what.path("time").asLong());
        if (what.has("details")) {
          ended.put("details", what.path("details").asText());
        }
      }
    }
    long next = stored.policy().schedule().nextAfter(clock.epochMillis(), stored.modifiedMillis());
    time(json, "next_execution", next, isHuman);
    JsonNode running = stored.running();
    if (running != null) {
      json.putObject("in_progress")
          .put("name", running.path("name").asText())
          .put("state", "STARTED")
          .put("start_time_millis", running.path("start_time_millis").asLong());
    }
    json.set("stats", stats(stored));
    return json;
  }

  private static void time(ObjectNode json, String name, long millis, boolean isHuman) {
    if (isHuman) {
      json.put(name, date(millis));
    }
    json.put(name + "_millis", millis);
  }

  private static String date(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  private static ObjectNode stats(Stored stored) {
    ObjectNode stats = Json.object().put("policy", stored.policy().id());
    STATS.forEach(name -> stats.put(name, stored.stat(name)));
    return stats;
  }

  public Answer delete(ApiRequest request) throws InterruptedException {
    String id = request.required("policy_id");
    metadata.update(
        "delete-snapshot-lifecycle [" + id + "]",
        state -> {
          if (!StoredSnapshotPolicies.contains(state, id)) {
            throw new Refusal(
                ErrorType.RESOURCE_NOT_FOUND, "snapshot lifecycle policy not found: " + id);
          }
          return StoredSnapshotPolicies.without(state, id);
        });
    return Answer.acknowledged();
  }

  public Answer execute(ApiRequest request) throws Exception {
    return Answer.of(
        200, Json.object().put("snapshot_name", runs.run(request.required("policy_id"), false)));
  }

  public Answer executeRetention(ApiRequest request) {
    retention.begin();
    return Answer.acknowledged();
  }

  public Answer stats(ApiRequest request) {
    ClusterState state = metadata.current();
    JsonNode kept = StoredSnapshotPolicies.retention(state);
    ObjectNode answer = Json.object();
    for (String name : List.of("runs", "failed", "timed_out")) {
      answer.put("retention_" + name, kept.path(name).asInt());
    }
    long millis = kept.path("millis").asLong();
    answer.put("retention_deletion_time", TimeValue.text(millis));
    answer.put("retention_deletion_time_millis", millis);
    SortedMap<String, Stored> all = StoredSnapshotPolicies.all(state);
    for (String name : STATS) {
      answer.put("total_" + name, all.values().stream().mapToInt(one -> one.stat(name)).sum());
    }
    ArrayNode policies = answer.putArray("policy_stats");
    all.values().forEach(stored -> policies.add(stats(stored)));
    return Answer.of(200, answer);
  }

  public Answer status(ApiRequest request) {
    return Answer.of(
        200, Json.object().put("operation_mode", StoredSnapshotPolicies.mode(metadata.current())));
  }

  /// Whether policies are followed from now on; what runs goes on.
  public Api follow(boolean isFollowed) {
    return request -> {
      long now = clock.epochMillis();
      metadata.update(
          "snapshot-lifecycle " + (isFollowed ? "start" : "stop"),
          state -> StoredSnapshotPolicies.with(state, isFollowed, now));
      return Answer.acknowledged();
    };
  }
}
