package dev.holdfast.api.ilm.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.world.Json;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What became of a step.
public sealed interface Outcome {
  /// It is done, or will be with a change of the cluster state. The next step is next.
  ///
  /// @param change of the state, in one with the step's end; may be applied to a newer state
  /// @param after changes what is kept of the lifecycle
  /// @param skipsAction whether the rest of the action is left out
  record Done(
      UnaryOperator<ClusterState> change, UnaryOperator<LifecycleState> after, boolean skipsAction)
      implements Outcome {}

  /// It is looked at again later.
  ///
  /// @param info what it waits for; null for nothing to tell
  record Waiting(@Nullable ObjectNode info) implements Outcome {}

  /// Nothing was to be done.
  static Outcome done() {
    return done(state -> state);
  }

  static Outcome done(UnaryOperator<ClusterState> change) {
    return new Done(change, kept -> kept, false);
  }

  /// The rest of the action has nothing to do.
  static Outcome actionDone() {
    return new Done(state -> state, kept -> kept, true);
  }

  /// The action means nothing here.
  static Outcome skipped(String action, String why) {
    return new Done(state -> state, kept -> kept.noted(action, why), true);
  }

  static Outcome waiting(String message) {
    return new Waiting(Json.object().put("message", message));
  }
}
