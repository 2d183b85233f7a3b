package dev.holdfast.api.diagnostics;

import dev.holdfast.world.metric.Histogram;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/// Metrics in Prometheus' text format: samples grouped by name, each group after its `# HELP` and
/// `# TYPE` lines.
final class PrometheusExposition {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final Map<String, StringBuilder> groups = new LinkedHashMap<>();

  /// @param labels name, value, name, value, …
  void counter(String name, String help, Number value, String... labels) {
    sample(group(name, "counter", help), name, value, labels);
  }

  void gauge(String name, String help, Number value, String... labels) {
    sample(group(name, "gauge", help), name, value, labels);
  }

  /// @param labels name, value, name, value, …
  void histogram(String name, String help, Histogram.Snapshot values, String... labels) {
    StringBuilder group = group(name, "histogram", help);
    for (Histogram.Bucket bucket : values.buckets()) {
      bucket(group, name, number(bucket.atMost()), bucket.count(), labels);
    }
    bucket(group, name, "+Inf", values.count(), labels);
    sample(group, name + "_sum", values.sum(), labels);
    sample(group, name + "_count", values.count(), labels);
  }

  private static void bucket(
      StringBuilder group, String name, String atMost, long count, String... labels) {
    String[] bounded = Arrays.copyOf(labels, labels.length + 2);
    bounded[labels.length] = "le";
    bounded[labels.length + 1] = atMost;
    sample(group, name + "_bucket", count, bounded);
  }

  String text() {
    return String.join("", groups.values());
  }

  private StringBuilder group(String name, String type, String help) {
    return groups.computeIfAbsent(
        name,
        _ ->
            new StringBuilder("# HELP ")
                .append(name)
                .append(' ')
                .append(help.replace("\\", "\\\\").replace("\n", "\\n"))
                .append("\n# TYPE ")
                .append(name)
                .append(' ')
                .append(type)
                .append('\n'));
  }

  private static void sample(StringBuilder group, String name, Number value, String... labels) {
    group.append(name);
    for (int i = 0; i < labels.length; i += 2) {
      group.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
      group.append(escaped(labels[i + 1])).append('"');
    }
    group.append(labels.length == 0 ? " " : "} ");
    group.append(value instanceof Double real ? number(real) : value.toString()).append('\n');
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  private static String number(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
