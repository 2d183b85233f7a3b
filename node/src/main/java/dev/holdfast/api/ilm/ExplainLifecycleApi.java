package dev.holdfast.api.ilm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.ilm.StoredPolicies.Mode;
import dev.holdfast.api.ilm.action.LifecycleState;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.api.indices.stream.ManagedIndices;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `GET /{index}/_ilm/explain`: where indices are in their policies, what they wait for and what
/// failed.
public final class ExplainLifecycleApi implements Api {
  private final Metadata metadata;
  private final Clock clock;

  public ExplainLifecycleApi(Metadata metadata, Clock clock) {
    this.metadata = metadata;
    this.clock = clock;
  }

  @Override
  public Answer handle(ApiRequest request) {
    ClusterState state = metadata.current();
    boolean onlyManaged = request.flag("only_managed", false);
    boolean onlyErrors = request.flag("only_errors", false);
    ObjectNode answer = Json.object();
    ObjectNode indices = answer.putObject("indices");
    for (IndexMetadata index :
        IndexExpression.resolve(
            state, request.required("index"), IndexExpression.Options.METADATA.of(request))) {
      boolean isManaged = ManagedIndices.byPolicy(state, index);
      if (isFailed(state, index, isManaged) || (!onlyErrors && (isManaged || !onlyManaged))) {
        ObjectNode one = indices.putObject(index.id().name()).put("index", index.id().name());
        one.put("managed", isManaged);
        if (isManaged) {
          explain(state, index, one, request.human());
        }
      }
    }
    return Answer.of(200, answer);
  }

  private static boolean isFailed(ClusterState state, IndexMetadata index, boolean isManaged) {
    LifecycleState lifecycle = LifecycleState.of(index);
    String policy = LifecycleSettings.of(index).policy();
    return isManaged
        && policy != null
        && (StoredPolicies.find(state, policy) == null
            || undated(index) != null
            || (lifecycle != null && lifecycle.isFailed()));
  }

  /// Why nobody knows how old an index is: its settings promise a date that its name does not have,
  /// as of one that was restored under another. Null when that is known.
  private static @Nullable Refusal undated(IndexMetadata index) {
    try {
      long _ = LifecycleSettings.of(index).originationMillis(index.id().name());
      return null;
    } catch (Refusal e) {
      return e;
    }
  }

  private void explain(ClusterState state, IndexMetadata index, ObjectNode one, boolean isHuman) {
    LifecycleSettings settings = LifecycleSettings.of(index);
    String policy = String.valueOf(settings.policy());
    long now = clock.epochMillis();
    long created = Long.parseLong(index.setting("index.creation_date", "0"));
    one.put("policy", policy);
    time(one, "index_creation_date", created, isHuman);
    one.put("time_since_index_creation", TimeValue.text(now - created));
    LifecycleState lifecycle = LifecycleState.of(index);
    Refusal undated = undated(index);
    if (lifecycle != null && undated == null) {
      long since = PolicySteps.sinceMillis(index, lifecycle);
      time(one, "lifecycle_date", since, isHuman);
      one.put("age", TimeValue.text(now - since));
    }
    if (lifecycle != null) {
      shown(lifecycle, one, isHuman);
    }
    one.put("skip", settings.isSkipped());
    if (StoredPolicies.find(state, policy) == null) {
      one.putObject("step_info")
          .put("type", "illegal_argument_exception")
          .put("reason", "policy [" + policy + "] does not exist");
    } else if (undated != null) {
      one.putObject("step_info")
          .put("type", "illegal_argument_exception")
          .put("reason", undated.reason());
    } else if (StoredPolicies.mode(state) != Mode.RUNNING && lifecycle == null) {
      one.putObject("step_info").put("message", "lifecycle policies are stopped");
    }
  }

  private static void shown(LifecycleState lifecycle, ObjectNode one, boolean isHuman) {
    JsonNode json = lifecycle.json();
    for (String part : List.of("phase", "action", "step")) {
      one.put(part, json.path(part).asText());
      time(one, part + "_time", json.path(part + "_time").asLong(), isHuman);
    }
    for (String member :
        List.of(
            "failed_step",
            "is_auto_retryable_error",
            "failed_step_retry_count",
            "step_info",
            "phase_execution",
            "shrink_index_name",
            "notes")) {
      if (json.has(member)) {
        one.set(member, json.get(member));
      }
    }
  }

  private static void time(ObjectNode to, String name, long epochMillis, boolean isHuman) {
    if (isHuman) {
      to.put(name, Instant.ofEpochMilli(epochMillis).toString());
    }
    to.put(name + "_millis", epochMillis);
  }
}
