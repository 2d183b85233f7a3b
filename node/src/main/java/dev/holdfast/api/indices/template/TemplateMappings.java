package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Mappings of several templates as one. A field replaces one of the same name; of two objects the
/// fields are merged, and the parameters are those of the second. Dynamic templates go by name; all
/// else (`runtime`, `_meta`, `_source`) is merged member by member, lists as one without what they
/// hold twice, the second's values first.
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
          } else if (name.equals("dynamic_templates") && value instanceof ArrayNode more) {
            merged.set(name, rules(before, more));
          } else {
            merged.set(name, both(before, value));
          }
        });
    return merged;
  }

  private static JsonNode both(@Nullable JsonNode under, JsonNode over) {
    if (under instanceof ObjectNode members && over instanceof ObjectNode more) {
      ObjectNode merged = members.deepCopy();
      more.properties()
          .forEach(e -> merged.set(e.getKey(), both(merged.get(e.getKey()), e.getValue())));
      return merged;
    }
    if (under instanceof ArrayNode values && over instanceof ArrayNode more) {
      Set<JsonNode> all = new LinkedHashSet<>();
      more.forEach(all::add);
      values.forEach(all::add);
      ArrayNode merged = Json.MAPPER.createArrayNode();
      all.forEach(value -> merged.add(value.<JsonNode>deepCopy()));
      return merged;
    }
    return over.deepCopy();
  }

  private static ObjectNode fields(ObjectNode under, ObjectNode over) {
    ObjectNode merged = under.deepCopy();
    over.properties()
        .forEach(field -> {
          String name = field.getKey();
          JsonNode before = merged.get(name);
          JsonNode value = field.getValue();
          merged.set(
              name,
              isObject(before) && isObject(value)
                  ? objects((ObjectNode) before, (ObjectNode) value)
                  : value.deepCopy());
        });
    return merged;
  }

  private static ObjectNode objects(ObjectNode under, ObjectNode over) {
    ObjectNode kept = Json.object();
    for (String name : List.of("properties", "subobjects")) {
      if (under.has(name)) {
        kept.set(name, under.get(name));
      }
    }
    return merge(kept, over);
  }

  private static boolean isObject(@Nullable JsonNode field) {
    if (field == null || !field.isObject()) {
      return false;
    }
    String type = field.path("type").asText("object");
    return type.equals("object") || type.equals("nested");
  }

  /// The last of one name stands where the first of them stood.
  private static ArrayNode rules(@Nullable JsonNode under, ArrayNode over) {
    Map<String, JsonNode> byName = new LinkedHashMap<>();
    if (under instanceof ArrayNode rules) {
      rules.forEach(rule -> byName.put(name(rule), rule));
    }
    over.forEach(rule -> byName.put(name(rule), rule));
    ArrayNode merged = Json.MAPPER.createArrayNode();
    byName.values().forEach(merged::add);
    return merged;
  }

  private static String name(JsonNode rule) {
    return rule.fieldNames().hasNext() ? rule.fieldNames().next() : "";
  }
}
