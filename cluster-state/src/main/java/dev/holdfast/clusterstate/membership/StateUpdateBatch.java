package dev.holdfast.clusterstate.membership;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.json.StateJson;
import dev.holdfast.clusterstate.json.StateSize;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What becomes of updates that waited together: a pure step from one state to the next.
///
/// @param changed with all that were applied, under the version and term of the state before; the
///   same object when nothing changed
/// @param applied in order
/// @param refused and why
/// @param stale proposals that were made to another state than this: their node must try again
record StateUpdateBatch(
    ClusterState changed,
    List<StateUpdate> applied,
    Map<StateUpdate, RuntimeException> refused,
    List<StateUpdate.Proposed> stale) {

  /// One proposal at most is applied, first of all, and only to the very state that it was made to;
  /// changes of this node are functions and go on top of whatever there is.
  ///
  /// @param size refuses what would make the state too large
  static StateUpdateBatch step(ClusterState before, List<StateUpdate> updates, StateSize size) {
    StateUpdateBatch all = step(before, updates, (_, _) -> {});
    return size.isBearable(before, all.changed)
        ? all
        : step(before, updates, size::requireBearable);
  }

  /// Refuses a change by throwing.
  private interface Check {
    void look(ClusterState before, ClusterState after);
  }

  private static StateUpdateBatch step(
      ClusterState before, List<StateUpdate> updates, Check check) {
    ClusterState changed = before;
    List<StateUpdate> applied = new ArrayList<>();
    Map<StateUpdate, RuntimeException> refused = new LinkedHashMap<>();
    List<StateUpdate.Proposed> stale = new ArrayList<>();
    boolean isTaken = false;
    for (StateUpdate update : updates) {
      if (update instanceof StateUpdate.Proposed proposed) {
        if (isTaken || proposed.base() != before.version()) {
          stale.add(proposed);
        } else {
          try {
            ClusterState proposal =
                StateJson.apply(before, proposed.delta()).at(before.term(), before.version());
            check.look(before, proposal);
            // A proposal that changes nothing asks whether its base is the newest state.
            isTaken = !proposal.equals(before);
            changed = isTaken ? proposal : changed;
            applied.add(proposed);
          } catch (RuntimeException | Error e) {
            refused.put(proposed, why(e));
          }
        }
      }
    }
    for (StateUpdate update : updates) {
      if (update instanceof StateUpdate.Local local) {
        try {
          ClusterState next = local.change().apply(changed);
          check.look(changed, next);
          changed = next;
          applied.add(local);
        } catch (RuntimeException | Error e) {
          refused.put(local, why(e));
        }
      }
    }
    return new StateUpdateBatch(changed, applied, refused, stale);
  }

  /// Why a change is refused: one of its own is not to end those of others, however deep it went,
  /// or whatever class it could not load.
  static RuntimeException why(Throwable e) {
    return switch (e) {
      case RuntimeException failure -> failure;
      case StackOverflowError _ -> Refusal.nestedTooDeep();
      default -> new IllegalStateException("the change failed: " + e, e);
    };
  }
}
