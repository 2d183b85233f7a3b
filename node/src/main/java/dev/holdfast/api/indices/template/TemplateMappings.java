package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/// Mappings of several templates as one: objects are merged member by member, a field replaces one
/// of the same name whole, dynamic templates go by name.
public final class TemplateMappings {
  private TemplateMappings() {}

  /// @param over wins
  public static ObjectNode merge(ObjectNode under, ObjectNode over) {
    ObjectNode merged = under.deepCopy();
    over.properties()
        .forEach(member -> {
          String name = member.getKey();
          JsonNode value = member.getValue();
          JsonNode before = merged.get(name);
          if (name.equals("properties")
              && before instanceof ObjectNode fields
              && value instanceof ObjectNode more) {
            merged.set(name, fields(fields, more));
          } else if (name.equals("dynamic_templates")
              && before instanceof ArrayNode rules
              && value instanceof ArrayNode more) {
            merged.set(name, rules(rules, more));
          } else if (name.equals("_meta")
              && before instanceof ObjectNode meta
              && value instanceof ObjectNode more) {
            meta.setAll(more);
          } else {
            merged.set(name, value.deepCopy());
          }
        });
    return merged;
  }

  private static ObjectNode fields(ObjectNode under, ObjectNode over) {
    ObjectNode merged = under.deepCopy();
    over.properties()
        .forEach(field -> {
          JsonNode before = merged.get(field.getKey());
          boolean areObjects = isObject(before) && isObject(field.getValue());
          merged.set(
              field.getKey(),
              areObjects
                  ? merge((ObjectNode) before, (ObjectNode) field.getValue())
                  : field.getValue().deepCopy());
        });
    return merged;
  }

  private static boolean isObject(@org.jspecify.annotations.Nullable JsonNode field) {
    if (field == null || !field.isObject()) {
      return false;
    }
    String type = field.path("type").asText("object");
    return type.equals("object") || type.equals("nested");
  }

  private static ArrayNode rules(ArrayNode under, ArrayNode over) {
    Map<String, JsonNode> byName = new LinkedHashMap<>();
    under.forEach(rule -> byName.put(name(rule), rule));
    over.forEach(rule -> byName.put(name(rule), rule));
    ArrayNode merged = Json.MAPPER.createArrayNode();
    byName.values().forEach(merged::add);
    return merged;
  }

  private static String name(JsonNode rule) {
    return rule.fieldNames().hasNext() ? rule.fieldNames().next() : "";
  }
}
