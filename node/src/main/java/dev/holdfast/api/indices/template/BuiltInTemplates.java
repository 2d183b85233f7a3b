package dev.holdfast.api.indices.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/// Component templates that are there from the start, under the names that Elasticsearch gives
/// them. They are not kept in the cluster state: a newer build brings newer ones. A template put
/// under such a name stands before the built-in one until it is deleted.
final class BuiltInTemplates {
  private static final String FILE =
      "/dev/holdfast/api/indices/template/built-in-component-templates.json";
  private static final SortedMap<String, ObjectNode> COMPONENTS = read();

  private BuiltInTemplates() {}

  /// A copy, by name.
  static SortedMap<String, ObjectNode> components() {
    SortedMap<String, ObjectNode> copy = new TreeMap<>();
    COMPONENTS.forEach((name, template) -> copy.put(name, template.deepCopy()));
    return copy;
  }

  /// Whether a template is the built-in one of its name.
  static boolean isComponent(String name, ObjectNode template) {
    return template.equals(COMPONENTS.get(name));
  }

  private static SortedMap<String, ObjectNode> read() {
    try (InputStream file = BuiltInTemplates.class.getResourceAsStream(FILE)) {
      SortedMap<String, ObjectNode> templates = new TreeMap<>();
      JsonNode all = Json.parse(Objects.requireNonNull(file, FILE).readAllBytes());
      all.properties().forEach(e -> templates.put(e.getKey(), (ObjectNode) e.getValue()));
      return templates;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
