package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// Where an index is in its lifecycle: metadata of the index, so that it is found again after a
/// restart and by the next leader. Immutable: a change makes another one.
///
/// @param json as the cluster state keeps it; never changed
public record LifecycleState(ObjectNode json) {
  /// The kind of metadata of an index.
  public static final String CUSTOM = "lifecycle";

  /// The step of an index whose last one failed.
  public static final String ERROR = "ERROR";

  /// The action and the step of a phase that is done.
  public static final String COMPLETE = "complete";

  /// The phase of an index that no policy has done anything with.
  public static final String NEW = "new";

  private static final String INFO = "step_info";
  private static final String FAILED = "failed_step";
  private static final String RETRIES = "failed_step_retry_count";
  private static final String PHASE_DEFINITION = "phase_execution";
  private static final String LIFECYCLE_DATE = "lifecycle_date";
  private static final String NOTES = "notes";
  private static final String MOVED = "moved";
  private static final String SHRUNKEN = "shrink_index_name";

  /// That of an index; null before its policy was looked at first.
  public static @Nullable LifecycleState of(IndexMetadata index) {
    return index.customs().get(CUSTOM) instanceof ObjectNode kept ? new LifecycleState(kept) : null;
  }

  /// The first one.
  public static LifecycleState begun(IndexMetadata index, long nowMillis) {
    long created = Long.parseLong(index.setting("index.creation_date", "0"));
    LifecycleState state = new LifecycleState(Json.object().put(LIFECYCLE_DATE, created));
    return state.at(StepKey.complete(NEW), nowMillis);
  }

  public String phase() {
    return json.path("phase").asText();
  }

  public String action() {
    return json.path("action").asText();
  }

  public String step() {
    return json.path("step").asText();
  }

  public StepKey key() {
    return new StepKey(phase(), action(), step());
  }

  public boolean isFailed() {
    return step().equals(ERROR);
  }

  /// The step that failed; empty for none.
  public String failedStep() {
    return json.path(FAILED).asText("");
  }

  /// What phases' ages are counted from: the rollover, before it the creation.
  public long lifecycleMillis() {
    return json.path(LIFECYCLE_DATE).asLong();
  }

  /// The phase as the policy had it when the index came to it: `{"policy", "phase_definition",
  /// "version", "modified_date_in_millis"}`; null before the first.
  public @Nullable ObjectNode phaseExecution() {
    return json.get(PHASE_DEFINITION) instanceof ObjectNode kept ? kept : null;
  }

  /// What an action of the current phase is told; empty object for an action that is not in it.
  public JsonNode body(String action) {
    return json.path(PHASE_DEFINITION).path("phase_definition").path("actions").path(action);
  }

  /// The name that the shrunken index has or will have; empty for none.
  public String shrunkenName() {
    return json.path(SHRUNKEN).asText("");
  }

  /// At another step, with nothing to tell of it yet.
  public LifecycleState at(StepKey key, long nowMillis) {
    ObjectNode changed = json.deepCopy();
    if (!key.phase().equals(phase())) {
      changed.put("phase", key.phase()).put("phase_time", nowMillis);
    }
    if (!key.phase().equals(phase()) || !key.action().equals(action())) {
      changed.put("action", key.action()).put("action_time", nowMillis);
    }
    changed.put("step", key.step()).put("step_time", nowMillis);
    changed.remove(INFO);
    changed.remove(FAILED);
    changed.remove(RETRIES);
    return new LifecycleState(changed);
  }

  /// In a phase, with what the policy says of it now.
  public LifecycleState with(ObjectNode phaseExecution) {
    return with(PHASE_DEFINITION, phaseExecution);
  }

  public LifecycleState withLifecycleMillis(long epochMillis) {
    return new LifecycleState(json.deepCopy().put(LIFECYCLE_DATE, epochMillis));
  }

  public LifecycleState withShrunkenName(String name) {
    return new LifecycleState(json.deepCopy().put(SHRUNKEN, name));
  }

  /// As a request put it: to be looked at before the next run is due.
  public LifecycleState moved() {
    return new LifecycleState(json.deepCopy().put(MOVED, true));
  }

  /// Whether a request put it where it is, and no run has looked at it since.
  public boolean isMoved() {
    return json.path(MOVED).asBoolean(false);
  }

  /// As a run finds it.
  public LifecycleState lookedAt() {
    if (!json.has(MOVED)) {
      return this;
    }
    ObjectNode changed = json.deepCopy();
    changed.remove(MOVED);
    return new LifecycleState(changed);
  }

  /// With what the current step waits for.
  public LifecycleState waiting(ObjectNode info) {
    return with(INFO, info);
  }

  /// With an action that was not done, and why.
  public LifecycleState noted(String action, String why) {
    ObjectNode changed = json.deepCopy();
    changed.withArrayProperty(NOTES).addObject().put("action", action).put("note", why);
    return new LifecycleState(changed);
  }

  /// After the current step, or the one that failed before, failed.
  public LifecycleState failed(Refusal why, long nowMillis) {
    boolean isAgain = isFailed();
    String step = isAgain ? failedStep() : step();
    int retries = isAgain ? json.path(RETRIES).asInt() + 1 : 0;
    ObjectNode changed =
        isAgain ? json.deepCopy() : at(new StepKey(phase(), action(), ERROR), nowMillis).json;
    changed.put(FAILED, step).put("is_auto_retryable_error", true).put(RETRIES, retries);
    changed.putObject(INFO).put("type", why.type().type()).put("reason", why.reason());
    return new LifecycleState(changed);
  }

  private LifecycleState with(String member, ObjectNode value) {
    ObjectNode changed = json.deepCopy();
    changed.set(member, value);
    return new LifecycleState(changed);
  }
}
