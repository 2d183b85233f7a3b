package dev.holdfast.document.field.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// What a document says in a `join` field: its kind, and the id of its parent.
record JoinValue(String kind, @Nullable String parent) {
  static JoinValue of(String field, JsonValue value) {
    return switch (value.kind()) {
      case STRING -> new JoinValue(value.text(), null);
      case OBJECT -> of(field, (ObjectNode) value.tree());
      default ->
          throw new Refusal(
              ErrorType.ILLEGAL_STATE,
              "["
                  + field
                  + "] expected START_OBJECT or VALUE_STRING but was: VALUE_"
                  + value.kind());
    };
  }

  private static JoinValue of(String field, ObjectNode json) {
    String kind = null;
    String parent = null;
    for (var member : json.properties()) {
      JsonNode value = member.getValue();
      switch (member.getKey()) {
        case "name" -> kind = value.asText();
        case "parent" -> parent = value.isNull() ? null : value.asText();
        default ->
            throw Refusal.badArgument(
                "unknown field name [" + member.getKey() + "] in join field [" + field + "]");
      }
    }
    if (kind == null) {
      throw Refusal.badArgument("null join name in field [" + field + "]");
    }
    return new JoinValue(kind, parent);
  }
}
