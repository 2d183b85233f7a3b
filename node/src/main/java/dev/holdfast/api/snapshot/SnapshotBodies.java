package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;

/// Members that requests about snapshots share.
final class SnapshotBodies {
  private SnapshotBodies() {}

  /// Names and patterns: text with commas, or an array of texts; empty when absent.
  static List<String> names(ObjectNode body, String name) {
    JsonNode node = body.path(name);
    List<String> names = new ArrayList<>();
    if (node.isTextual()) {
      for (String one : node.asText().split(",", -1)) {
        if (!one.isBlank()) {
          names.add(one.strip());
        }
      }
    } else if (node.isArray()) {
      for (JsonNode one : node) {
        if (!one.isTextual()) {
          throw malformed(name);
        }
        names.add(one.asText());
      }
    } else if (!node.isMissingNode()) {
      throw malformed(name);
    }
    return names;
  }

  private static Refusal malformed(String name) {
    return Refusal.badArgument("malformed " + name + " section, should be an array of strings");
  }

  /// `true` or `false`, as such or as text.
  static boolean flag(ObjectNode body, String name, boolean whenAbsent) {
    JsonNode node = body.path(name);
    if (node.isMissingNode()) {
      return whenAbsent;
    }
    String text = node.isValueNode() ? node.asText() : "";
    if (!text.equals("true") && !text.equals("false")) {
      throw Refusal.badArgument(
          "Failed to parse value [" + node + "] as only [true] or [false] are allowed.");
    }
    return text.equals("true");
  }

  static String text(ObjectNode body, String name) {
    JsonNode node = body.path(name);
    if (node.isMissingNode()) {
      return "";
    }
    if (!node.isTextual()) {
      throw Refusal.badArgument("malformed " + name);
    }
    return node.asText();
  }

  /// @param known members that may be there
  static void requireKnown(ObjectNode body, List<String> known) {
    for (var member : body.properties()) {
      if (!known.contains(member.getKey())) {
        throw Refusal.badArgument("Unknown parameter " + member.getKey());
      }
    }
  }
}
