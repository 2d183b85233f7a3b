package dev.holdfast.api.indices.downsample;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The gauges of a mapping, and the mapping in which they are what their values come to.
final class MetricFields {
  private static final String SUMMARY = "aggregate_metric_double";
  private static final List<String> METRICS = List.of("min", "max", "sum", "value_count");

  /// Objects whose members are fields.
  private static final Set<String> OF_FIELDS = Set.of("object", "nested", "passthrough");

  /// Which of the metrics each has, by path.
  private final SortedMap<String, List<String>> gauges = new TreeMap<>();

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
      String type = field.path("type").asText("object");
      if (!OF_FIELDS.contains(type) || !field.path("enabled").asBoolean(true)) {
        whole.add(path);
      }
      if (field.path("time_series_metric").asText().equals("gauge") && !keepsLast) {
        if (!type.equals(SUMMARY)) {
          summarized(field);
        }
        gauges.put(path, METRICS.stream().filter(metric -> has(field, metric)).toList());
      }
    }
  }

  private static boolean has(ObjectNode summary, String metric) {
    for (JsonNode one : summary.path("metrics")) {
      if (one.asText().equals(metric)) {
        return true;
      }
    }
    return false;
  }

  private static void summarized(ObjectNode field) {
    JsonNode meta = field.get("meta");
    field.removeAll();
    field.put("type", SUMMARY);
    METRICS.forEach(field.putArray("metrics")::add);
    field.put("default_metric", "max").put("time_series_metric", "gauge");
    if (meta != null) {
      field.set("meta", meta);
    }
  }

  /// Whether the values of a field are summed up.
  boolean isGauge(String path) {
    return gauges.containsKey(path);
  }

  /// Which metrics of its values a gauge has.
  List<String> metrics(String gauge) {
    return gauges.getOrDefault(gauge, List.of());
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
