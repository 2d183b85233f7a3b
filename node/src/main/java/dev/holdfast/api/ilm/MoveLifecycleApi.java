package dev.holdfast.api.ilm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.ilm.StoredPolicies.Stored;
import dev.holdfast.api.ilm.action.LifecycleState;
import dev.holdfast.api.ilm.action.StepKey;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// `POST /_ilm/move/{index}`, `/{index}/_ilm/retry`, `/{index}/_ilm/remove`: puts indices elsewhere
/// in their policies, or takes them out.
public final class MoveLifecycleApi {
  private final Metadata metadata;
  private final Clock clock;

  public MoveLifecycleApi(Metadata metadata, Clock clock) {
    this.metadata = metadata;
    this.clock = clock;
  }

  public Api move() {
    return this::move;
  }

  public Api retry() {
    return this::retry;
  }

  public Api remove() {
    return this::remove;
  }

  /// A step as a request names it; without action or name the first of its phase or action.
  private record Wanted(String phase, @Nullable String action, @Nullable String name) {
    static Wanted read(String context, JsonNode given) {
      JsonObject body = JsonObject.of(context, given);
      Wanted wanted =
          new Wanted(body.required("phase").asText(), body.string("action"), body.string("name"));
      body.done();
      return wanted;
    }

    boolean isOf(StepKey key) {
      return phase.equals(key.phase())
          && (action == null || action.equals(key.action()))
          && (name == null || name.equals(key.step()));
    }

    @Override
    public String toString() {
      ObjectNode json = Json.object().put("phase", phase);
      if (action != null) {
        json.put("action", action);
      }
      return (name == null ? json : json.put("name", name)).toString();
    }
  }

  private Answer move(ApiRequest request) throws InterruptedException {
    String name = SingleIndex.of(metadata.current(), request.required("index"), false).id().name();
    JsonObject body = JsonObject.of("move_to_step_request", request.body().object());
    Wanted current = Wanted.read("current_step", body.required("current_step"));
    Wanted next = Wanted.read("next_step", body.required("next_step"));
    body.done();
    if (current.action() == null || current.name() == null) {
      throw Refusal.badArgument("[current_step] requires [phase], [action] and [name]");
    }
    long now = clock.epochMillis();
    metadata.update(
        "move-lifecycle [" + name + "]",
        state -> {
          IndexMetadata index = managed(state, name);
          LifecycleState lifecycle = LifecycleState.of(index);
          if (lifecycle == null || !current.isOf(lifecycle.key())) {
            throw Refusal.badArgument(
                "index ["
                    + name
                    + "] is not on current step ["
                    + current
                    + "], currently: ["
                    + (lifecycle == null ? null : lifecycle.key())
                    + "]");
          }
          return moved(state, index, lifecycle, next, now);
        });
    return Answer.acknowledged();
  }

  private static ClusterState moved(
      ClusterState state, IndexMetadata index, LifecycleState lifecycle, Wanted next, long now) {
    String name = index.id().name();
    String policy = String.valueOf(LifecycleSettings.of(index).policy());
    Stored stored = StoredPolicies.find(state, policy);
    if (stored == null) {
      throw Refusal.badArgument("policy [" + policy + "] does not exist");
    }
    ObjectNode phase = stored.policy().phase(next.phase());
    StepKey target =
        phase == null
            ? null
            : new PhaseSteps(next.phase(), phase)
                .keys().stream().filter(next::isOf).findFirst().orElse(null);
    if (target == null) {
      throw Refusal.badArgument(
          "step ["
              + next
              + "] for index ["
              + name
              + "] with policy ["
              + policy
              + "] does not exist");
    }
    LifecycleState there =
        lifecycle.with(stored.phaseExecution(policy, next.phase())).at(target, now).moved();
    return state.withIndex(index.withCustom(LifecycleState.CUSTOM, there.json()));
  }

  private static IndexMetadata managed(ClusterState state, String name) {
    IndexMetadata index = state.indices().get(name);
    if (index == null) {
      throw Refusal.indexNotFound(name);
    }
    if (LifecycleSettings.of(index).policy() == null) {
      throw Refusal.badArgument(
          "index [" + name + "] is not managed by Index Lifecycle Management");
    }
    return index;
  }

  private Answer retry(ApiRequest request) throws InterruptedException {
    List<IndexMetadata> indices = indices(request);
    long now = clock.epochMillis();
    metadata.update(
        "retry-lifecycle [" + request.required("index") + "]",
        state -> {
          List<IndexMetadata> changed = new ArrayList<>();
          for (IndexMetadata one : indices) {
            String name = one.id().name();
            IndexMetadata index = managed(state, name);
            LifecycleState lifecycle = LifecycleState.of(index);
            if (lifecycle == null || !lifecycle.isFailed()) {
              throw Refusal.badArgument(
                  "cannot retry an action for an index ["
                      + name
                      + "] that has not encountered an error when running a Lifecycle Policy");
            }
            StepKey failed =
                new StepKey(lifecycle.phase(), lifecycle.action(), lifecycle.failedStep());
            LifecycleState again = lifecycle.at(failed, now).moved();
            changed.add(index.withCustom(LifecycleState.CUSTOM, again.json()));
          }
          return state.withChanged(changed);
        });
    return Answer.acknowledged();
  }

  private List<IndexMetadata> indices(ApiRequest request) {
    return IndexExpression.resolve(
        metadata.current(),
        request.required("index"),
        IndexExpression.Options.METADATA.of(request));
  }

  private Answer remove(ApiRequest request) throws InterruptedException {
    List<IndexMetadata> indices = indices(request);
    metadata.update(
        "remove-lifecycle [" + request.required("index") + "]",
        state -> {
          List<IndexMetadata> changed = new ArrayList<>();
          for (IndexMetadata one : indices) {
            IndexMetadata index = state.indices().get(one.id().name());
            if (index != null && index.id().equals(one.id())) {
              changed.add(unmanaged(index));
            }
          }
          return state.withChanged(changed);
        });
    ObjectNode answer = Json.object().put("has_failures", false);
    ArrayNode _ = answer.putArray("failed_indexes");
    return Answer.of(200, answer);
  }

  private static IndexMetadata unmanaged(IndexMetadata index) {
    SortedMap<String, Object> settings = new TreeMap<>(index.settings());
    boolean isChanged = settings.keySet().removeAll(LifecycleSettings.OF_POLICY);
    IndexMetadata changed = isChanged ? index.withSettings(settings) : index;
    return changed.withCustom(LifecycleState.CUSTOM, null);
  }
}
