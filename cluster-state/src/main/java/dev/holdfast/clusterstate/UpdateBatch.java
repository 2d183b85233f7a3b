package dev.holdfast.clusterstate;

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
record UpdateBatch(
    ClusterState changed,
    List<Update> applied,
    Map<Update, RuntimeException> refused,
    List<Update.Proposed> stale) {

  /// One proposal at most is applied, first of all, and only to the very state that it was made to;
  /// changes of this node are functions and go on top of whatever there is.
  static UpdateBatch step(ClusterState before, List<Update> updates) {
    ClusterState changed = before;
    List<Update> applied = new ArrayList<>();
    Map<Update, RuntimeException> refused = new LinkedHashMap<>();
    List<Update.Proposed> stale = new ArrayList<>();
    boolean isTaken = false;
    for (Update update : updates) {
      if (update instanceof Update.Proposed proposed) {
        if (isTaken || proposed.base() != before.version()) {
          stale.add(proposed);
        } else {
          ClusterState proposal =
              StateJson.apply(before, proposed.delta()).at(before.term(), before.version());
          // A proposal that changes nothing asks whether its base is the newest state.
          isTaken = !proposal.equals(before);
          changed = isTaken ? proposal : changed;
          applied.add(proposed);
        }
      }
    }
    for (Update update : updates) {
      if (update instanceof Update.Local local) {
        try {
          changed = local.change().apply(changed);
          applied.add(local);
        } catch (RuntimeException e) {
          refused.put(local, e);
        }
      }
    }
    return new UpdateBatch(changed, applied, refused, stale);
  }
}
