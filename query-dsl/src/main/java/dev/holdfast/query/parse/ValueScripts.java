package dev.holdfast.query.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.MadeField;
import dev.holdfast.document.ScriptedValues;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.context.ValueScript;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Scripts whose values aggregations and sorts read as those of a field: each becomes a field of
/// the search.
final class ValueScripts {
  private static final String NUMBER = "double";
  private static final String TERM = "keyword";
  private static final String DATE = "date";

  /// What values of a script are to a kind of aggregation, or of source in a `composite`.
  private static final Map<String, String> KINDS =
      Map.ofEntries(
          Map.entry("auto_date_histogram", DATE),
          Map.entry("avg", NUMBER),
          Map.entry("boxplot", NUMBER),
          Map.entry("cardinality", TERM),
          Map.entry("date_histogram", DATE),
          Map.entry("date_range", DATE),
          Map.entry("diversified_sampler", TERM),
          Map.entry("extended_stats", NUMBER),
          Map.entry("geo_bounds", "geo_point"),
          Map.entry("geo_centroid", "geo_point"),
          Map.entry("geo_distance", "geo_point"),
          Map.entry("geohash_grid", "geo_point"),
          Map.entry("geotile_grid", "geo_point"),
          Map.entry("histogram", NUMBER),
          Map.entry("ip_range", "ip"),
          Map.entry("max", NUMBER),
          Map.entry("median_absolute_deviation", NUMBER),
          Map.entry("min", NUMBER),
          Map.entry("missing", TERM),
          Map.entry("percentile_ranks", NUMBER),
          Map.entry("percentiles", NUMBER),
          Map.entry("range", NUMBER),
          Map.entry("rare_terms", TERM),
          Map.entry("stats", NUMBER),
          Map.entry("string_stats", TERM),
          Map.entry("sum", NUMBER),
          Map.entry("terms", TERM),
          Map.entry("value_count", TERM),
          Map.entry("variable_width_histogram", NUMBER));

  /// What values of a script are to a kind of sort.
  private static final Map<String, String> SORTS =
      Map.of("number", NUMBER, "string", TERM, "version", "version");

  private static final Map<String, String> VALUE_TYPES =
      Map.of(
          "boolean", "boolean",
          "date", DATE,
          "double", NUMBER,
          "float", NUMBER,
          "ip", "ip",
          "long", "long",
          "number", NUMBER,
          "numeric", NUMBER,
          "string", TERM);

  private final SortedMap<String, MadeField> made = new TreeMap<>();

  private ValueScripts() {}

  /// Puts the name of a field in the place of each script.
  ///
  /// @param aggregations the value of `aggs`, which is changed
  /// @return the fields by name
  /// @throws Refusal 400 for what is no script; whether it compiles is seen on shards
  static SortedMap<String, MadeField> take(ObjectNode aggregations) {
    ValueScripts scripts = new ValueScripts();
    scripts.walk(aggregations);
    return Collections.unmodifiableSortedMap(scripts.made);
  }

  private void walk(ObjectNode aggregations) {
    for (JsonNode definition : aggregations) {
      for (Map.Entry<String, JsonNode> member : definition.properties()) {
        if (member.getValue() instanceof ObjectNode body) {
          switch (member.getKey()) {
            case "aggs", "aggregations" -> walk(body);
            case "composite" -> sources(body.path("sources"));
            case "multi_terms" -> body.path("terms").forEach(one -> replace(one, TERM));
            case "weighted_avg" -> {
              replace(body.path("value"), NUMBER);
              replace(body.path("weight"), NUMBER);
            }
            default -> replace(body, KINDS.get(member.getKey()));
          }
        }
      }
    }
  }

  private void sources(JsonNode sources) {
    for (JsonNode named : sources) {
      for (JsonNode source : named) {
        source.properties().forEach(kind -> replace(kind.getValue(), KINDS.get(kind.getKey())));
      }
    }
  }

  private void replace(JsonNode given, @Nullable String kind) {
    if (kind == null || !(given instanceof ObjectNode body) || !body.has("script")) {
      return;
    }
    JsonNode json = body.remove("script");
    ScriptSource script = ScriptSource.parse(json);
    JsonNode valueType = body.get("value_type");
    String wanted = valueType == null ? kind : VALUE_TYPES.getOrDefault(valueType.asText(), kind);
    String field = body.path("field").isTextual() ? body.path("field").asText() : null;
    body.put("field", name(wanted, script, field, json));
  }

  private String name(String kind, ScriptSource script, @Nullable String field, JsonNode json) {
    CRC32C sum = new CRC32C();
    sum.update((kind + field + json).getBytes(StandardCharsets.UTF_8));
    String path = "_value_script." + Long.toHexString(sum.getValue()) + "." + made.size();
    made.put(
        path,
        new MadeField(kind, new ScriptedValues(script, ValueScript.SHAPE, null, field, false)));
    return path;
  }

  /// Puts the name of a field in the place of scripts of sorts that compare versions, or are about
  /// nested objects; others sort by what they make of documents as it comes.
  ///
  /// @param sort the value of `sort`, which is changed
  static SortedMap<String, MadeField> takeSorts(JsonNode sort) {
    ValueScripts scripts = new ValueScripts();
    for (JsonNode one : sort.isArray() ? sort : List.of(sort)) {
      if (one instanceof ObjectNode named && named.get("_script") instanceof ObjectNode body) {
        scripts.replaceSort(named, body);
      }
    }
    return Collections.unmodifiableSortedMap(scripts.made);
  }

  private void replaceSort(ObjectNode named, ObjectNode body) {
    String type = body.path("type").asText();
    boolean isVersion = type.equals("version");
    String kind = SORTS.get(type);
    JsonNode json = body.get("script");
    if (kind == null || json == null || !(isVersion || body.has("nested"))) {
      return;
    }
    ScriptSource script = ScriptSource.parse(json);
    if (!isVersion && script.text().contains("_score")) {
      throw Refusal.badArgument(
          "scripts of sorts in nested objects cannot read [_score]: [" + script.text() + "]");
    }
    body.remove(List.of("script", "type"));
    named.remove("_script");
    named.set(name(kind, script, null, json), body);
  }
}
