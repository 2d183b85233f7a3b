package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.JsonObject;
import java.util.List;

/// Something that a phase of a lifecycle policy does with an index: one file, and a line in
/// [LifecycleActions].
public interface LifecycleAction {
  /// As policies name it.
  String name();

  /// Checks what a policy says of it, and returns it as it is kept.
  ///
  /// @throws dev.holdfast.world.Refusal for what is missing, unknown or out of range
  ObjectNode read(JsonObject body);

  /// Its steps in order; the first may say that there is nothing to do.
  ///
  /// @param body what [#read] returned
  List<Step> steps(ObjectNode body);

  /// A step of an action: done again after a failure or by another leader, it does nothing twice.
  record Step(String name, Work work) {
    /// What a step does.
    @FunctionalInterface
    public interface Work {
      Outcome run(StepContext context) throws Exception;
    }
  }
}
