package dev.holdfast.document.field.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A `flattened` object as a synthetic `_source` shows it: keys in their order, names with dots as
/// objects, values as texts, sorted and once each.
final class FlattenedSource {
  private final SortedMap<String, SortedSet<String>> values = new TreeMap<>();

  private FlattenedSource() {}

  /// @param before null for nothing
  static JsonNode of(@Nullable JsonNode before, JsonNode value) {
    FlattenedSource source = new FlattenedSource();
    if (before != null) {
      source.collect("", before);
    }
    source.collect("", value);
    ObjectNode shown = Json.object();
    source.values.forEach((key, texts) -> place(shown, key, texts));
    return shown;
  }

  private void collect(String key, JsonNode value) {
    switch (value) {
      case ObjectNode object -> {
        for (Map.Entry<String, JsonNode> member : object.properties()) {
          String name = member.getKey();
          collect(key.isEmpty() ? name : key + "." + name, member.getValue());
        }
      }
      case ArrayNode array -> array.forEach(element -> collect(key, element));
      default -> {
        if (!value.isNull()) {
          values.computeIfAbsent(key, _ -> new TreeSet<>()).add(value.asText());
        }
      }
    }
  }

  /// Puts values where their key leads, as far as objects are in the way of no value.
  private static void place(ObjectNode root, String key, SortedSet<String> texts) {
    ObjectNode at = root;
    String rest = key;
    for (int dot = rest.indexOf('.'); dot > 0; dot = rest.indexOf('.')) {
      JsonNode inner = at.get(rest.substring(0, dot));
      if (inner != null && !inner.isObject()) {
        break;
      }
      at = inner instanceof ObjectNode object ? object : at.putObject(rest.substring(0, dot));
      rest = rest.substring(dot + 1);
    }
    List<String> all = new ArrayList<>(texts);
    if (all.size() == 1) {
      at.put(rest, all.getFirst());
    } else {
      ArrayNode array = at.putArray(rest);
      all.forEach(array::add);
    }
  }
}
