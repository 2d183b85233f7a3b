package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The `runtime` fields of a mapping: kept and shown; nothing reads them yet, as that takes
/// scripts.
final class RuntimeFields {
  private static final List<String> TYPES =
      List.of(
          "boolean",
          "composite",
          "date",
          "double",
          "geo_point",
          "geo_shape",
          "ip",
          "keyword",
          "long",
          "lookup");

  private RuntimeFields() {}

  /// @throws dev.holdfast.world.Refusal `mapper_parsing_exception`
  static void check(@Nullable JsonNode runtime) {
    if (runtime == null || runtime.isNull()) {
      return;
    }
    if (!runtime.isObject()) {
      throw MappingParser.fault("[runtime] must be an object");
    }
    for (Map.Entry<String, JsonNode> field : runtime.properties()) {
      JsonNode mapping = field.getValue();
      if (mapping.isNull()) {
        continue;
      }
      if (!mapping.isObject()) {
        throw MappingParser.fault(
            "Expected map for runtime field ["
                + field.getKey()
                + "] definition but got a "
                + mapping.getNodeType());
      }
      String type = mapping.path("type").asText("");
      if (type.isEmpty()) {
        throw MappingParser.fault("No type specified for runtime field [" + field.getKey() + "]");
      }
      if (!TYPES.contains(type)) {
        throw MappingParser.fault(
            "The mapper type ["
                + type
                + "] declared on runtime field ["
                + field.getKey()
                + "] does not exist. It might have been created within a future version or requires"
                + " a plugin which is not installed. Check the documentation.");
      }
    }
  }

  /// Fields are added and replaced; null takes one away.
  static void merge(ObjectNode merged, @Nullable JsonNode old, JsonNode changed) {
    ObjectNode fields = old instanceof ObjectNode before ? before.deepCopy() : merged.objectNode();
    for (Map.Entry<String, JsonNode> field : changed.properties()) {
      if (field.getValue().isNull()) {
        fields.remove(field.getKey());
      } else {
        fields.set(field.getKey(), field.getValue().deepCopy());
      }
    }
    if (fields.isEmpty()) {
      merged.remove("runtime");
    } else {
      merged.set("runtime", fields);
    }
  }
}
