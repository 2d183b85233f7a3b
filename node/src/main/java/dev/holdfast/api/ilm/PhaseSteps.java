package dev.holdfast.api.ilm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.ilm.action.LifecycleAction;
import dev.holdfast.api.ilm.action.LifecycleAction.Step;
import dev.holdfast.api.ilm.action.LifecycleActions;
import dev.holdfast.api.ilm.action.LifecycleState;
import dev.holdfast.api.ilm.action.StepKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The steps of a phase in their order, as its definition says.
///
/// @param definition `{"min_age", "actions"}`
record PhaseSteps(String phase, JsonNode definition) {
  /// Of the phase that an index is in.
  static PhaseSteps of(LifecycleState lifecycle) {
    ObjectNode execution = lifecycle.phaseExecution();
    return new PhaseSteps(
        lifecycle.phase(),
        execution == null ? MissingNode.getInstance() : execution.path("phase_definition"));
  }

  /// The keys of its steps, its end last.
  List<StepKey> keys() {
    List<StepKey> keys = new ArrayList<>();
    List<String> allowed = LifecycleActions.of(phase);
    for (String name : allowed == null ? List.<String>of() : allowed) {
      for (Step step : steps(name)) {
        keys.add(new StepKey(phase, name, step.name()));
      }
    }
    keys.add(StepKey.complete(phase));
    return keys;
  }

  private List<Step> steps(String action) {
    LifecycleAction known = LifecycleActions.find(action);
    return known != null && definition.path("actions").get(action) instanceof ObjectNode body
        ? known.steps(body)
        : List.of();
  }

  /// A step; null when the definition has none of that key.
  @Nullable Step find(StepKey key) {
    return steps(key.action()).stream()
        .filter(step -> step.name().equals(key.step()))
        .findFirst()
        .orElse(null);
  }

  /// What follows a step: the next of its action, else the first of the next action, else the end.
  ///
  /// @param skipsAction whether the rest of the action is left out
  StepKey after(StepKey key, boolean skipsAction) {
    List<StepKey> keys = keys();
    int at = keys.indexOf(key);
    for (int next = at + 1; next < keys.size() && at >= 0; next++) {
      if (!skipsAction || !keys.get(next).action().equals(key.action())) {
        return keys.get(next);
      }
    }
    return StepKey.complete(phase);
  }

  /// Where a phase begins.
  StepKey first() {
    return keys().getFirst();
  }
}
