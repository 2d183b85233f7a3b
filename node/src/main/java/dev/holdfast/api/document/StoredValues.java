package dev.holdfast.api.document;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.List;

/// The `fields` of a document that is read by id: values of fields that are mapped with `store`,
/// read from the source.
final class StoredValues {
  private StoredValues() {}

  /// Writes `"fields": {name: [value, …]}` into the open object, when there is any.
  static void write(JsonGenerator out, ObjectNode mapping, List<String> names, byte[] source)
      throws IOException {
    ObjectNode fields = Json.object();
    for (String name : names) {
      if (isStored(mapping, name)) {
        ArrayNode values = Json.MAPPER.createArrayNode();
        collect(Json.parse(source), name, values);
        if (!values.isEmpty()) {
          fields.set(name, values);
        }
      }
    }
    if (!fields.isEmpty()) {
      out.writeFieldName("fields");
      out.writeTree(fields);
    }
  }

  private static boolean isStored(JsonNode mapping, String path) {
    JsonNode at = mapping;
    for (String name : path.split("\\.", -1)) {
      at = at.path("properties").path(name);
    }
    return at.path("store").asBoolean(false);
  }

  private static void collect(JsonNode node, String path, ArrayNode values) {
    if (node.isArray()) {
      node.forEach(each -> collect(each, path, values));
    } else if (path.isEmpty()) {
      if (!node.isNull()) {
        values.add(node);
      }
    } else {
      int dot = path.indexOf('.');
      JsonNode inner = node.get(dot < 0 ? path : path.substring(0, dot));
      if (inner != null) {
        collect(inner, dot < 0 ? "" : path.substring(dot + 1), values);
      }
    }
  }
}
