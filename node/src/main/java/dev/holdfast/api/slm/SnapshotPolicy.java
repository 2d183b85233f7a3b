package dev.holdfast.api.slm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.DateMathNames;
import dev.holdfast.api.snapshot.CreateSnapshotApi;
import dev.holdfast.api.snapshot.SnapshotNames;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A policy that makes snapshots.
///
/// @param json `{"name", "schedule", "repository", "config"?, "retention"?,
///   "unhealthy_if_no_snapshot_within"?}`, checked; never changed
record SnapshotPolicy(String id, ObjectNode json) {
  private static final int ID_BYTES_MAX = 255;
  private static final String UNHEALTHY = "unhealthy_if_no_snapshot_within";

  /// Checks the body of a request.
  ///
  /// @throws Refusal `action_request_validation_exception`, which names all that is wrong with it
  static SnapshotPolicy read(String id, ObjectNode body) {
    JsonObject given = JsonObject.ofValues("snapshot_lifecycle", body);
    String name = required(given, "name");
    String schedule = required(given, "schedule");
    String repository = required(given, "repository");
    ObjectNode kept = Json.object();
    kept.put("name", name).put("schedule", schedule).put("repository", repository);
    JsonObject config = given.object("config");
    if (config != null) {
      CreateSnapshotApi.check(config.node());
      kept.set("config", config.node());
    }
    JsonObject retention = given.object("retention");
    if (retention != null) {
      SnapshotRetention.check(retention.node());
      kept.set("retention", retention.node());
    }
    String unhealthy = given.string(UNHEALTHY);
    if (unhealthy != null) {
      var _ = TimeValue.parse(UNHEALTHY, unhealthy);
      kept.put(UNHEALTHY, unhealthy);
    }
    given.done();
    List<String> wrong = new ArrayList<>();
    addWrongId(id, wrong);
    try {
      var _ = SnapshotSchedule.parse(schedule);
    } catch (IllegalArgumentException e) {
      wrong.add("invalid schedule [" + schedule + "]: " + e.getMessage());
    }
    if (kept.path("config").path("metadata").has("policy")) {
      wrong.add(
          "invalid configuration.metadata: field name [policy] is reserved and will be added"
              + " automatically");
    }
    if (repository.isBlank()) {
      wrong.add("invalid repository name [" + repository + "]: cannot be empty");
    }
    SnapshotPolicy policy = new SnapshotPolicy(id, kept);
    String fault = SnapshotNames.fault(policy.resolved(0));
    if (!fault.isEmpty()) {
      wrong.add("invalid snapshot name [" + name + "]: " + fault);
    }
    if (!wrong.isEmpty()) {
      StringBuilder reason = new StringBuilder("Validation Failed: ");
      for (int i = 0; i < wrong.size(); i++) {
        reason.append(i + 1).append(": ").append(wrong.get(i)).append(';');
      }
      throw new Refusal(ErrorType.ACTION_REQUEST_VALIDATION, reason.toString());
    }
    return policy;
  }

  private static String required(JsonObject given, String name) {
    String value = given.string(name);
    if (value == null) {
      throw Refusal.badArgument("Required [" + name + "]");
    }
    return value;
  }

  private static void addWrongId(String id, List<String> wrong) {
    for (String forbidden : List.of(",", "#")) {
      if (id.contains(forbidden)) {
        wrong.add("invalid policy id [" + id + "]: must not contain '" + forbidden + "'");
      }
    }
    if (id.chars().anyMatch(Character::isWhitespace)) {
      wrong.add("invalid policy id [" + id + "]: must not contain spaces");
    }
    if (id.startsWith("_")) {
      wrong.add("invalid policy id [" + id + "]: must not start with '_'");
    }
    int bytes = id.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > ID_BYTES_MAX) {
      wrong.add("invalid policy id: name is too long, (" + bytes + " > " + ID_BYTES_MAX + ")");
    }
  }

  private String resolved(long nowMillis) {
    return DateMathNames.resolve(json.path("name").asText(), nowMillis);
  }

  /// The name of a snapshot that is made now.
  ///
  /// @param chance makes it one that no other snapshot has
  String snapshotName(long nowMillis, String chance) {
    return resolved(nowMillis) + "-" + chance.toLowerCase(Locale.ROOT);
  }

  String repository() {
    return json.path("repository").asText();
  }

  SnapshotSchedule schedule() {
    return SnapshotSchedule.parse(json.path("schedule").asText());
  }

  /// The body of the request that makes a snapshot; it says by which policy.
  ObjectNode request() {
    ObjectNode body =
        json.path("config") instanceof ObjectNode config ? config.deepCopy() : Json.object();
    body.withObjectProperty("metadata").put("policy", id);
    return body;
  }

  @Nullable SnapshotRetention retention() {
    JsonNode retention = json.get("retention");
    return retention == null ? null : SnapshotRetention.of(retention);
  }

  /// Without a snapshot for so long it is said to be unhealthy; -1: never.
  long unhealthyMillis() {
    return json.has(UNHEALTHY)
        ? TimeValue.parse(UNHEALTHY, json.path(UNHEALTHY).asText()).toMillis()
        : -1;
  }

  /// @param leastMillis between two snapshots; 0 or less: whatever it likes
  /// @throws Refusal `illegal_argument_exception`
  void requireNotTooFrequent(long nowMillis, long leastMillis, String shown) {
    SnapshotSchedule schedule = schedule();
    long first = schedule.nextAfter(nowMillis, nowMillis);
    long second = first < 0 ? -1 : schedule.nextAfter(first, nowMillis);
    if (second >= 0 && second - first < leastMillis) {
      throw Refusal.badArgument(
          "invalid schedule ["
              + json.path("schedule").asText()
              + "]: schedule would be too frequent, executing more than every ["
              + shown
              + "]");
    }
  }
}
