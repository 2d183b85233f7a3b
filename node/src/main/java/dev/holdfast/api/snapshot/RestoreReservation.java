package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.SnapshotReference;
import dev.holdfast.world.Json;
import java.util.SortedMap;
import java.util.TreeMap;

/// A restore that is about to put its indices into the cluster state. While it is there nobody
/// deletes the snapshot: closed indices in whose place its indices come are gone with that step,
/// and it could not be taken back.
///
/// A custom of the state, `{uuid: {"node", "repository", "snapshot", "snapshot_uuid"}}`. One of a
/// node that is no member any more means nothing.
///
/// @param uuid made for this one restore
/// @param node ephemeral id of the process that restores
record RestoreReservation(String uuid, String node, SnapshotReference snapshot) {
  private static final String CUSTOM = "restores";

  private static ObjectNode kept(ClusterState state) {
    return state.customs().get(CUSTOM) instanceof ObjectNode kept ? kept : Json.object();
  }

  /// Those of members, by their uuids.
  static SortedMap<String, SnapshotReference> all(ClusterState state) {
    SortedMap<String, SnapshotReference> all = new TreeMap<>();
    for (var one : kept(state).properties()) {
      if (state.members().containsKey(one.getValue().path("node").asText())) {
        all.put(
            one.getKey(),
            new SnapshotReference(
                one.getValue().path("repository").asText(),
                one.getValue().path("snapshot").asText(),
                one.getValue().path("snapshot_uuid").asText()));
      }
    }
    return all;
  }

  /// A state with it, and without those of nodes that are gone.
  ClusterState addedTo(ClusterState state) {
    ObjectNode changed = kept(state).deepCopy();
    changed.retain(all(state).keySet());
    changed
        .putObject(uuid)
        .put("node", node)
        .put("repository", snapshot.repository())
        .put("snapshot", snapshot.snapshot())
        .put("snapshot_uuid", snapshot.uuid());
    return state.withCustom(CUSTOM, changed);
  }

  /// A state without it.
  ClusterState takenFrom(ClusterState state) {
    if (!kept(state).has(uuid)) {
      return state;
    }
    ObjectNode changed = kept(state).deepCopy();
    changed.remove(uuid);
    return changed.isEmpty() ? state.withoutCustom(CUSTOM) : state.withCustom(CUSTOM, changed);
  }
}
