package dev.holdfast.api.stats;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.clusterstate.ShardAssignment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// One row of where shards are, in Elasticsearch's words: the indexing shard is the primary, search
/// copies are replicas. A copy beside its indexing shard in one process is not shown on its own.
///
/// @param node ephemeral id; empty when the shard is nowhere
/// @param relocating the node that it moves to; empty when it stays
public record ShardRouting(boolean isPrimary, String state, String node, String relocating) {
  static final String STARTED = "STARTED";
  public static final String INITIALIZING = "INITIALIZING";
  public static final String RELOCATING = "RELOCATING";
  public static final String UNASSIGNED = "UNASSIGNED";

  /// A shard of a closed index: in the store and well, held by no node.
  public static final ShardRouting IN_STORE = new ShardRouting(true, STARTED, "", "");

  /// @param isServed the indexing shard answers
  static List<ShardRouting> of(ShardAssignment assignment, boolean isServed) {
    List<ShardRouting> places = new ArrayList<>();
    String owner = assignment.owner();
    boolean isMoving = !assignment.target().isEmpty();
    String state =
        owner.isEmpty() ? UNASSIGNED : !isServed ? INITIALIZING : isMoving ? RELOCATING : STARTED;
    places.add(new ShardRouting(true, state, owner, assignment.target()));
    assignment
        .copies()
        .forEach((member, copy) -> {
          if (!member.equals(owner)) {
            String ofCopy =
                switch (copy) {
                  case STARTED -> STARTED;
                  case STARTING -> INITIALIZING;
                  case LEAVING -> RELOCATING;
                };
            places.add(new ShardRouting(false, ofCopy, member, ""));
          }
        });
    return places;
  }

  /// Writes `routing` into the open object.
  public void writeRouting(JsonGenerator out) throws IOException {
    out.writeObjectFieldStart("routing");
    out.writeStringField("state", state);
    out.writeBooleanField("primary", isPrimary);
    out.writeStringField("node", node.isEmpty() ? null : node);
    out.writeStringField("relocating_node", relocating.isEmpty() ? null : relocating);
    out.writeEndObject();
  }

  public boolean isUnassigned() {
    return state.equals(UNASSIGNED);
  }

  public boolean isActive() {
    return state.equals(STARTED) || state.equals(RELOCATING);
  }
}
