package dev.holdfast.document.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A value of any kind whose texts are templates.
public sealed interface ValueTemplate {
  /// A value of its own for that document.
  JsonNode fill(IngestDocument document);

  static ValueTemplate of(JsonNode value, TemplateEscaping escaping) {
    if (value.isTextual()) {
      return new Text(TextTemplate.of(value.asText(), escaping));
    }
    if (value.isArray()) {
      List<ValueTemplate> elements = new ArrayList<>();
      value.forEach(element -> elements.add(of(element, escaping)));
      return new Elements(elements);
    }
    if (value.isObject()) {
      Map<String, ValueTemplate> members = new LinkedHashMap<>();
      value
          .properties()
          .forEach(member -> members.put(member.getKey(), of(member.getValue(), escaping)));
      return new Members(members);
    }
    return new Plain(value);
  }

  /// Text.
  record Text(TextTemplate template) implements ValueTemplate {
    @Override
    public JsonNode fill(IngestDocument document) {
      document.grow(ValueSize.VALUE_BYTES);
      return TextNode.valueOf(template.fill(document));
    }
  }

  /// A list.
  record Elements(List<ValueTemplate> elements) implements ValueTemplate {
    @Override
    public JsonNode fill(IngestDocument document) {
      document.grow(ValueSize.VALUE_BYTES + (long) ValueSize.ELEMENT_BYTES * elements.size());
      ArrayNode filled = JsonNodeFactory.instance.arrayNode();
      elements.forEach(element -> filled.add(element.fill(document)));
      return filled;
    }
  }

  /// An object.
  record Members(Map<String, ValueTemplate> members) implements ValueTemplate {
    @Override
    public JsonNode fill(IngestDocument document) {
      document.grow(ValueSize.VALUE_BYTES + (long) ValueSize.MEMBER_BYTES * members.size());
      ObjectNode filled = Json.object();
      members.forEach((name, value) -> filled.set(name, value.fill(document)));
      return filled;
    }
  }

  /// A number, a boolean or null.
  record Plain(JsonNode value) implements ValueTemplate {
    @Override
    public JsonNode fill(IngestDocument document) {
      return value;
    }
  }
}
