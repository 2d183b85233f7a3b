package dev.holdfast.api.stats;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/// Figures of several nodes as one: numbers are added, member by member; of what is no number, the
/// first one's stands.
public final class FigureSums {
  private static final String BYTES = "_in_bytes";
  private static final String MILLIS = "_in_millis";

  private FigureSums() {}

  /// @param parts without forms for people
  public static ObjectNode of(List<JsonNode> parts) {
    ObjectNode sum = Json.object();
    for (JsonNode part : parts) {
      if (part.isObject()) {
        add(sum, part);
      }
    }
    return sum;
  }

  private static void add(ObjectNode sum, JsonNode part) {
    for (Map.Entry<String, JsonNode> member : part.properties()) {
      JsonNode there = sum.get(member.getKey());
      sum.set(
          member.getKey(),
          there == null ? member.getValue().deepCopy() : plus(there, member.getValue()));
    }
  }

  private static JsonNode plus(JsonNode there, JsonNode other) {
    if (there instanceof ObjectNode sum && other.isObject()) {
      add(sum, other);
    } else if (there instanceof ArrayNode list && other.isArray()) {
      for (int i = 0; i < other.size(); i++) {
        if (i < list.size()) {
          list.set(i, plus(list.get(i), other.get(i)));
        } else {
          list.add(other.get(i).deepCopy());
        }
      }
    } else if (there.isIntegralNumber() && other.isIntegralNumber()) {
      return Json.object().numberNode(there.asLong() + other.asLong());
    } else if (there.isNumber() && other.isNumber()) {
      return Json.object().numberNode(there.asDouble() + other.asDouble());
    }
    return there;
  }

  /// Writes the members, sizes and times for people too where they are asked for.
  public static void write(StatisticsWriter figures, JsonNode members) throws IOException {
    for (Map.Entry<String, JsonNode> member : members.properties()) {
      String name = member.getKey();
      JsonNode value = member.getValue();
      if (value.isObject()) {
        figures.object(name, () -> write(figures, value));
      } else if (value.isIntegralNumber() && name.endsWith(BYTES)) {
        figures.bytes(name.substring(0, name.length() - BYTES.length()), value.asLong());
      } else if (value.isIntegralNumber() && name.endsWith(MILLIS)) {
        figures.millis(name.substring(0, name.length() - MILLIS.length()), value.asLong());
      } else if (value.isArray()) {
        figures.out().writeArrayFieldStart(name);
        for (JsonNode one : value) {
          element(figures, one);
        }
        figures.out().writeEndArray();
      } else {
        figures.out().writeFieldName(name);
        figures.out().writeTree(value);
      }
    }
  }

  private static void element(StatisticsWriter figures, JsonNode one) throws IOException {
    if (one.isObject()) {
      figures.out().writeStartObject();
      write(figures, one);
      figures.out().writeEndObject();
    } else {
      figures.out().writeTree(one);
    }
  }
}
