package dev.holdfast.node.api.eyes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// What one node tells of itself.
@FunctionalInterface
public interface Eye {
  /// @param question as the node that was asked sent it
  JsonNode look(ObjectNode question) throws Exception;
}
