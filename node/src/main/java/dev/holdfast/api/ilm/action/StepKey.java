package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;

/// A step of an action of a phase.
public record StepKey(String phase, String action, String step) {
  /// The end of a phase.
  public static StepKey complete(String phase) {
    return new StepKey(phase, LifecycleState.COMPLETE, LifecycleState.COMPLETE);
  }

  /// As requests write it and errors show it.
  public ObjectNode json() {
    return Json.object().put("phase", phase).put("action", action).put("name", step);
  }

  @Override
  public String toString() {
    return json().toString();
  }
}
