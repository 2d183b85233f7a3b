package dev.holdfast.api.indices.downsample;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// The gauges of a mapping, and the mapping in which they are what their values come to.
final class MetricFields {
  private static final String SUMMARY = "aggregate_metric_double";

  private final SortedSet<String> gauges = new TreeSet<>();
  private final SortedSet<String> whole = new TreeSet<>();
  private final ObjectNode mapping;

  /// @param source a mapping, as the state has it; not changed
  MetricFields(ObjectNode source, DownsampleConfig config) {
    mapping = source.deepCopy();
    if (mapping.get("properties") instanceof ObjectNode properties) {
      fields(properties, "", config.keepsLast());
      if (properties.get("@timestamp") instanceof ObjectNode time) {
        ObjectNode meta = Json.object();
        meta.put("fixed_interval", config.text()).put("time_zone", "UTC");
        time.set("meta", meta);
      }
    }
  }

  private void fields(ObjectNode properties, String prefix, boolean keepsLast) {
    for (Map.Entry<String, JsonNode> member : properties.properties()) {
      ObjectNode field = (ObjectNode) member.getValue();
      String path = prefix + member.getKey();
      if (field.get("properties") instanceof ObjectNode inner) {
        fields(inner, path + ".", keepsLast);
      }
      String type = field.path("type").asText();
      if (type.equals("flattened") || type.equals(SUMMARY)) {
        whole.add(path);
      }
      if (field.path("time_series_metric").asText().equals("gauge") && !keepsLast) {
        gauges.add(path);
        if (!type.equals(SUMMARY)) {
          summarized(field);
        }
      }
    }
  }

  private static void summarized(ObjectNode field) {
    JsonNode meta = field.get("meta");
    field.removeAll();
    field.put("type", SUMMARY);
    field.putArray("metrics").add("min").add("max").add("sum").add("value_count");
    field.put("default_metric", "max").put("time_series_metric", "gauge");
    if (meta != null) {
      field.set("meta", meta);
    }
  }

  /// Paths of fields whose values are summed up.
  SortedSet<String> gauges() {
    return gauges;
  }

  /// Whether the value of a field is one object: its members are no fields.
  boolean isWhole(String path) {
    return whole.contains(path);
  }

  /// Of the index that is made.
  ObjectNode mapping() {
    return mapping;
  }
}
