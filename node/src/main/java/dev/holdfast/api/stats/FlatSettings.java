package dev.holdfast.api.stats;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Settings between their two forms: nested JSON as people write it, dotted names as they are kept.
/// Values are strings or lists of strings.
public final class FlatSettings {
  private FlatSettings() {}

  /// Dotted names and values; a JSON null stays a null value, "remove this".
  public static SortedMap<String, @Nullable Object> flatten(JsonNode nested) {
    SortedMap<String, @Nullable Object> flat = new TreeMap<>();
    flatten("", nested, flat);
    return flat;
  }

  private static void flatten(
      String prefix, JsonNode nested, SortedMap<String, @Nullable Object> flat) {
    nested
        .properties()
        .forEach(member -> {
          String name = prefix + member.getKey();
          JsonNode value = member.getValue();
          if (value.isObject()) {
            flatten(name + ".", value, flat);
          } else {
            flat.put(name, value(value));
          }
        });
  }

  private static @Nullable Object value(JsonNode value) {
    if (value.isNull()) {
      return null;
    }
    if (value.isArray()) {
      List<String> values = new ArrayList<>();
      value.forEach(one -> values.add(one.asText()));
      return List.copyOf(values);
    }
    return value.asText();
  }

  /// Writes settings as one object, nested or with dotted names.
  public static void write(JsonGenerator out, SortedMap<String, Object> settings, boolean isFlat)
      throws IOException {
    if (isFlat) {
      out.writeStartObject();
      for (var e : settings.entrySet()) {
        out.writePOJOField(e.getKey(), e.getValue());
      }
      out.writeEndObject();
    } else {
      out.writeTree(nest(settings));
    }
  }

  /// The nested form. A name that is both a value and a prefix of others keeps its dots.
  public static ObjectNode nest(SortedMap<String, Object> settings) {
    ObjectNode root = Json.object();
    settings.forEach((name, value) -> {
      ObjectNode node = root;
      String rest = name;
      int dot;
      while ((dot = rest.indexOf('.')) > 0) {
        JsonNode child = node.get(rest.substring(0, dot));
        if (child != null && !child.isObject()) {
          break;
        }
        node = child == null ? node.putObject(rest.substring(0, dot)) : (ObjectNode) child;
        rest = rest.substring(dot + 1);
      }
      node.set(rest, Json.MAPPER.valueToTree(value));
    });
    return root;
  }
}
