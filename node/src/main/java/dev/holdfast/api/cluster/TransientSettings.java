package dev.holdfast.api.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.identity.NodeIdentity;
import dev.holdfast.world.Json;
import java.util.Set;
import java.util.TreeSet;

/// Cluster settings that last until the whole cluster has restarted: kept with the nodes that there
/// were when they were made, and forgotten by a node that starts when none of these is left.
public final class TransientSettings {
  static final String KEPT = ClusterState.TRANSIENT_SETTINGS;
  private static final String MADE_BY = "transient_settings_made_by";

  private TransientSettings() {}

  /// @param settings as a tree
  static ClusterState with(ClusterState state, JsonNode settings, NodeIdentity self) {
    ArrayNode nodes = Json.MAPPER.createArrayNode();
    Set<String> all = new TreeSet<>(state.members().keySet());
    all.add(self.id());
    all.forEach(nodes::add);
    return state.withCustom(KEPT, settings).withCustom(MADE_BY, nodes);
  }

  /// Call it once, when a node starts.
  public static void forgetAfterRestart(Metadata metadata, NodeIdentity self) {
    ClusterState now = metadata.current();
    if (!isOver(now, self)) {
      return;
    }
    try {
      metadata.update(
          "forget transient settings",
          state -> isOver(state, self) ? with(state, Json.object(), self) : state);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// A node of the past at this node's address is dead: the address is ours.
  private static boolean isOver(ClusterState state, NodeIdentity self) {
    JsonNode kept = state.customs().get(KEPT);
    JsonNode madeBy = state.customs().get(MADE_BY);
    if (kept == null || kept.isEmpty()) {
      return false;
    }
    if (madeBy == null) {
      return true;
    }
    for (JsonNode node : madeBy) {
      Member member = state.members().get(node.asText());
      boolean isAlive = member != null && !member.address().equals(self.address());
      if (isAlive || node.asText().equals(self.id())) {
        return false;
      }
    }
    return true;
  }
}
