package dev.holdfast.api.ilm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.ilm.action.LifecycleAction;
import dev.holdfast.api.ilm.action.LifecycleActions;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A lifecycle policy: phases, each with the age at which it begins and its actions.
///
/// @param json `{"phases": {name: {"min_age", "actions"}}, "_meta"?, "deprecated"?}`, checked;
///   never changed
record LifecyclePolicy(ObjectNode json) {
  private static final int NAME_BYTES_MAX = 255;
  private static final String ROLLOVER = "rollover";
  private static final String SNAPSHOT = "searchable_snapshot";

  /// Of the hot phase: they are done with an index that is written to no more.
  private static final List<String> AFTER_ROLLOVER =
      List.of("readonly", "shrink", "forcemerge", "downsample", SNAPSHOT);

  /// What an index that lies in a snapshot cannot have done to it any more.
  private static final List<String> NOT_AFTER_SNAPSHOT =
      List.of("forcemerge", "shrink", "readonly", "downsample");

  /// Checks the body of a request.
  ///
  /// @param body `{"policy": …}`
  /// @throws Refusal `illegal_argument_exception` for phases and actions that do not go together
  static LifecyclePolicy read(ObjectNode body) {
    JsonObject request = JsonObject.of("put_lifecycle_request", body);
    JsonObject policy = JsonObject.of("lifecycle_policy", request.required("policy"));
    request.done();
    ObjectNode kept = Json.object();
    ObjectNode phases = kept.putObject("phases");
    JsonObject given = JsonObject.of("lifecycle_policy", policy.required("phases"));
    for (var phase : given.node().properties()) {
      requirePhase(phase.getKey());
    }
    for (String name : LifecycleActions.phases()) {
      JsonNode phase = given.take(name);
      if (phase != null) {
        phases.set(name, phase(name, phase));
      }
    }
    JsonObject meta = policy.object("_meta");
    if (meta != null) {
      kept.set("_meta", meta.node());
    }
    if (policy.has("deprecated")) {
      kept.put("deprecated", policy.bool("deprecated", false));
    }
    policy.done();
    LifecyclePolicy read = new LifecyclePolicy(kept);
    read.requireRollover();
    read.requireSnapshots();
    read.requireAges();
    return read;
  }

  /// @throws Refusal `illegal_argument_exception` for a name that no policy may have
  static void requireName(String name) {
    String fault =
        name.contains(",")
            ? "must not contain ','"
            : name.contains(" ")
                ? "must not contain spaces"
                : name.startsWith("_") ? "must not start with '_'" : null;
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > NAME_BYTES_MAX) {
      fault = "name is too long, (" + bytes + " > " + NAME_BYTES_MAX + ")";
    }
    if (fault != null) {
      throw Refusal.badArgument("invalid policy name [" + name + "]: " + fault);
    }
  }

  private static void requirePhase(String name) {
    if (LifecycleActions.of(name) == null) {
      throw Refusal.badArgument("Timeseries lifecycle does not support phase [" + name + "]");
    }
  }

  private static ObjectNode phase(String name, JsonNode given) {
    JsonObject phase = JsonObject.ofValues("phase", given);
    String age = phase.string("min_age", "0ms");
    if (TimeValue.parse("min_age", age).isNegative()) {
      throw Refusal.badArgument(
          "failed to parse setting [min_age] with value ["
              + age
              + "] as a time value: negative"
              + " durations are not supported");
    }
    JsonObject actions = phase.object("actions");
    phase.done();
    ObjectNode kept = Json.object().put("min_age", age);
    ObjectNode read = kept.putObject("actions");
    if (actions == null) {
      return kept;
    }
    for (var one : actions.node().properties()) {
      String action = one.getKey();
      LifecycleAction known = LifecycleActions.find(action);
      if (known == null) {
        throw new Refusal(
            ErrorType.X_CONTENT_PARSE,
            "[phase] failed to parse field [actions]",
            new Refusal(
                ErrorType.NAMED_OBJECT_NOT_FOUND,
                "unable to parse LifecycleAction with name [" + action + "]: parser not found"));
      }
      if (!Objects.requireNonNull(LifecycleActions.of(name)).contains(action)) {
        throw Refusal.badArgument(
            "invalid action [" + action + "] defined in phase [" + name + "]");
      }
      JsonObject body = JsonObject.ofValues(action, one.getValue());
      read.set(action, known.read(body));
      body.done();
    }
    return kept;
  }

  private void requireRollover() {
    List<String> hot = actions("hot");
    List<String> dependent = new ArrayList<>(AFTER_ROLLOVER);
    dependent.retainAll(hot);
    if (!dependent.isEmpty() && !hot.contains(ROLLOVER)) {
      throw Refusal.badArgument(
          "the ["
              + String.join(",", dependent)
              + "] action(s) may not be used in the [hot] phase without an accompanying [rollover]"
              + " action");
    }
  }

  private void requireSnapshots() {
    if (phase("frozen") != null && !actions("frozen").contains(SNAPSHOT)) {
      throw Refusal.badArgument(
          "policy specifies the [frozen] phase without a corresponding [searchable_snapshot]"
              + " action, but a searchable snapshot action is required in the frozen phase");
    }
    boolean isInSnapshot = false;
    for (String phase : phases()) {
      List<String> forbidden = new ArrayList<>(NOT_AFTER_SNAPSHOT);
      forbidden.retainAll(actions(phase));
      if (isInSnapshot && !forbidden.isEmpty()) {
        throw Refusal.badArgument(
            "phases ["
                + phase
                + "] define one or more of "
                + NOT_AFTER_SNAPSHOT
                + " actions which are not allowed after a managed index is mounted as a searchable"
                + " snapshot");
      }
      isInSnapshot |= actions(phase).contains(SNAPSHOT);
    }
  }

  /// A later phase that begins earlier would never be what its ages say.
  private void requireAges() {
    String latest = null;
    Duration most = Duration.ZERO;
    for (String phase : phases()) {
      Duration age = minAge(phase);
      if (latest != null && !age.isZero() && age.compareTo(most) < 0) {
        throw new Refusal(
            ErrorType.ACTION_REQUEST_VALIDATION,
            "Validation Failed: 1: phases ["
                + phase
                + "] configure a [min_age] value less than the [min_age] of ["
                + json.path("phases").path(latest).path("min_age").asText()
                + "] for the ["
                + latest
                + "] phase, configuration: {"
                + phase
                + "="
                + json.path("phases").path(phase).path("min_age").asText()
                + "};");
      }
      if (age.compareTo(most) > 0) {
        most = age;
        latest = phase;
      }
    }
  }

  /// Whether it says how long to wait for a downsampling.
  boolean saysDownsamplingTimeout() {
    return phases().stream()
        .anyMatch(phase -> {
          JsonNode actions = json.path("phases").path(phase).path("actions");
          return actions.path("downsample").has("wait_timeout");
        });
  }

  /// The names of its phases in their order.
  List<String> phases() {
    return LifecycleActions.phases().stream().filter(name -> phase(name) != null).toList();
  }

  /// A phase; null for none of that name.
  @Nullable ObjectNode phase(String name) {
    return json.path("phases").get(name) instanceof ObjectNode phase ? phase : null;
  }

  Duration minAge(String phase) {
    return TimeValue.parse(
        "min_age", json.path("phases").path(phase).path("min_age").asText("0ms"));
  }

  /// The actions of a phase in the order in which they are done.
  List<String> actions(String phase) {
    JsonNode actions = json.path("phases").path(phase).path("actions");
    List<String> allowed = LifecycleActions.of(phase);
    return allowed == null ? List.of() : allowed.stream().filter(actions::has).toList();
  }

  /// The phase after one; null for none.
  ///
  /// @param phase `new` for the first; it need not be one of the policy
  @Nullable String next(String phase) {
    List<String> order = LifecycleActions.phases();
    return phases().stream()
        .filter(name -> order.indexOf(name) > order.indexOf(phase))
        .findFirst()
        .orElse(null);
  }
}
