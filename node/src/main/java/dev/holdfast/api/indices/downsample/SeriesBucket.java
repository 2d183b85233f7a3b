package dev.holdfast.api.indices.downsample;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.date.DateFormat;
import dev.holdfast.world.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The documents of one series between two coarse times, as one: gauges as what their values come
/// to, of everything else the last value. Documents are added newest first.
final class SeriesBucket {
  private final MetricFields metrics;
  private final ObjectNode document = Json.object();
  private final SortedMap<String, Summary> summaries = new TreeMap<>();
  final String series;
  final long millis;
  private long documents;

  /// What the values of a gauge come to.
  private static final class Summary {
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;
    private double sum;
    private double lost;
    private long count;

    void add(double least, double greatest, double total, long values) {
      min = Math.min(min, least);
      max = Math.max(max, greatest);
      // What rounding loses is carried along (Kahan).
      double corrected = total - lost;
      double sumNow = sum + corrected;
      lost = (sumNow - sum) - corrected;
      sum = sumNow;
      count += values;
    }

    ObjectNode json(List<String> metrics) {
      return Json.object()
          .put("min", min)
          .put("max", max)
          .put("sum", sum)
          .put("value_count", count)
          .retain(metrics);
    }
  }

  /// @param millis the time that it gets
  SeriesBucket(MetricFields metrics, String series, long millis) {
    this.metrics = metrics;
    this.series = series;
    this.millis = millis;
  }

  boolean holds(String other, long otherMillis) {
    return series.equals(other) && millis == otherMillis;
  }

  void add(ObjectNode source) {
    documents += source.path(MetadataFields.DOC_COUNT).asLong(1);
    source.remove(MetadataFields.DOC_COUNT);
    add(document, expanded(source, ""), "");
  }

  /// The source with objects in the place of names with dots.
  private ObjectNode expanded(ObjectNode source, String prefix) {
    ObjectNode plain = Json.object();
    for (Map.Entry<String, JsonNode> member : source.properties()) {
      String path = prefix + member.getKey();
      JsonNode value = member.getValue();
      if (!metrics.isWhole(path)) {
        value = plain(value, path);
      }
      put(plain, member.getKey(), value, path);
    }
    return plain;
  }

  /// An object without dots in names; a list of objects as one, whose members have the values of
  /// all, as a document's fields do.
  private JsonNode plain(JsonNode value, String path) {
    if (value instanceof ObjectNode inner) {
      return expanded(inner, path + ".");
    }
    if (!(value instanceof ArrayNode list) || !(list.path(0) instanceof ObjectNode)) {
      return value;
    }
    ObjectNode all = Json.object();
    for (JsonNode each : list) {
      if (each instanceof ObjectNode object) {
        join(all, expanded(object, path + "."), path + ".");
      }
    }
    return all;
  }

  private void join(ObjectNode to, ObjectNode from, String prefix) {
    for (Map.Entry<String, JsonNode> member : from.properties()) {
      String name = member.getKey();
      String path = prefix + name;
      JsonNode there = to.get(name);
      JsonNode value = member.getValue();
      if (there == null) {
        to.set(name, value);
      } else if (there instanceof ObjectNode inner
          && value instanceof ObjectNode more
          && !metrics.isWhole(path)) {
        join(inner, more, path + ".");
      } else {
        ArrayNode values = there instanceof ArrayNode list ? list : Json.object().arrayNode();
        if (!there.isArray()) {
          values.add(there);
        }
        to.set(name, value instanceof ArrayNode more ? values.addAll(more) : values.add(value));
      }
    }
  }

  private static void put(ObjectNode to, String name, JsonNode value, String path) {
    int dot = name.indexOf('.');
    if (dot <= 0 || dot == name.length() - 1) {
      if (to.get(name) instanceof ObjectNode there && value instanceof ObjectNode more) {
        more.properties().forEach(member -> put(there, member.getKey(), member.getValue(), path));
      } else {
        to.set(name, value);
      }
      return;
    }
    String first = name.substring(0, dot);
    ObjectNode inner = to.get(first) instanceof ObjectNode there ? there : to.putObject(first);
    put(inner, name.substring(dot + 1), value, path);
  }

  private void add(ObjectNode to, ObjectNode from, String prefix) {
    for (Map.Entry<String, JsonNode> member : from.properties()) {
      String name = member.getKey();
      String path = prefix + name;
      JsonNode value = member.getValue();
      if (metrics.isGauge(path)) {
        measured(path, value);
      } else if (value instanceof ObjectNode inner && !metrics.isWhole(path)) {
        JsonNode there = to.get(name);
        if (there == null) {
          there = to.putObject(name);
        }
        if (there instanceof ObjectNode object) {
          add(object, inner, path + ".");
        }
      } else if (!value.isNull() && !to.has(name)) {
        to.set(name, value);
      }
    }
  }

  private void measured(String path, JsonNode value) {
    if (value.isArray()) {
      value.forEach(element -> measured(path, element));
    } else if (value.isObject()) {
      summary(path)
          .add(
              value.path("min").asDouble(Double.POSITIVE_INFINITY),
              value.path("max").asDouble(Double.NEGATIVE_INFINITY),
              value.path("sum").asDouble(),
              value.path("value_count").asLong());
    } else {
      double number = number(value);
      if (Double.isFinite(number)) {
        summary(path).add(number, number, number, 1);
      }
    }
  }

  private static double number(JsonNode value) {
    try {
      return value.isNull() ? Double.NaN : Double.parseDouble(value.asText());
    } catch (NumberFormatException _) {
      return Double.NaN; // ignored when it was indexed
    }
  }

  private Summary summary(String path) {
    return summaries.computeIfAbsent(path, _ -> new Summary());
  }

  /// The document that stands for all.
  byte[] bytes() {
    summaries.forEach((path, summary) -> {
      ObjectNode at = document;
      List<String> steps = new ArrayList<>(List.of(path.split("\\.")));
      String last = steps.removeLast();
      for (String step : steps) {
        at = at.get(step) instanceof ObjectNode inner ? inner : at.putObject(step);
      }
      at.set(last, summary.json(metrics.metrics(path)));
    });
    document.put(MetadataFields.DOC_COUNT, Math.min(documents, Integer.MAX_VALUE));
    document.put("@timestamp", DateFormat.DEFAULT.format(millis, null));
    return Json.bytes(document);
  }
}
