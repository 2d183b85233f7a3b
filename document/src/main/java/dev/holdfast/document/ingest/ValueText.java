package dev.holdfast.document.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/// Values as texts: lists and objects as Java writes its own, `[a, 1]`, `{name=value}`.
public final class ValueText {
  private ValueText() {}

  /// The text of a value.
  public static String of(JsonNode value) {
    if (value.isValueNode()) {
      return value.asText();
    }
    StringBuilder shown = new StringBuilder();
    show(value, shown);
    return shown.toString();
  }

  /// Appends the text of a value.
  public static void show(JsonNode value, StringBuilder shown) {
    switch (value) {
      case ArrayNode list -> {
        shown.append('[');
        for (int i = 0; i < list.size(); i++) {
          shown.append(i == 0 ? "" : ", ");
          show(list.get(i), shown);
        }
        shown.append(']');
      }
      case ObjectNode object -> {
        String between = "{";
        for (Map.Entry<String, JsonNode> member : object.properties()) {
          shown.append(between).append(member.getKey()).append('=');
          show(member.getValue(), shown);
          between = ", ";
        }
        shown.append(object.isEmpty() ? "{}" : "}");
      }
      default -> shown.append(value.asText());
    }
  }
}
