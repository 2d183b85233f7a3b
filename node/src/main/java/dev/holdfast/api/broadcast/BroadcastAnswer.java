package dev.holdfast.api.broadcast;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// What one node tells of itself.
@FunctionalInterface
public interface BroadcastAnswer {
  /// @param question as the node that was asked sent it
  JsonNode look(ObjectNode question) throws Exception;
}
