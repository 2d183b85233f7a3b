package dev.holdfast.api.tasks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// `node_failures` of an answer that is 200 all the same: what nodes could not tell, and why.
final class NodeFailures {
  static final String MEMBER = "node_failures";

  private NodeFailures() {}

  /// @param node its id
  static void add(ObjectNode answer, String node, Refusal why) {
    add(answer, node, why.type().type(), why.reason());
  }

  /// @param node its id
  /// @param type of what it failed for
  static void add(ObjectNode answer, String node, String type, String reason) {
    ObjectNode failure = answer.withArray("/" + MEMBER).addObject();
    failure
        .put("type", "failed_node_exception")
        .put("reason", "Failed node [" + node + "]")
        .put("node_id", node);
    failure.putObject("caused_by").put("type", type).put("reason", reason);
  }

  /// Whether a node's own answer says that its tasks have not ended in the time that it had.
  static boolean isLate(JsonNode answer) {
    String type = answer.at("/" + MEMBER + "/0/caused_by/type").asText();
    return type.equals(ErrorType.TIMEOUT.type());
  }
}
