package dev.holdfast.api.indices.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.world.Json;
import java.util.List;

/// What parameters of fields are when nobody set them, as `include_defaults` of field mappings
/// shows them.
final class FieldDefaults {
  private static final JsonNode BY_TYPE =
      Json.parse(
          """
          {
            "text": {"index": true, "store": false, "doc_values": false, "meta": {},
              "index_options": "positions", "term_vector": "no", "norms": true, "similarity": null,
              "eager_global_ordinals": false, "position_increment_gap": 100, "fielddata": false,
              "fielddata_frequency_filter": {"min": 0.0, "max": 2147483647.0, "min_segment_size": 0},
              "index_prefixes": null, "index_phrases": false},
            "keyword": {"index": true, "doc_values": true, "store": false, "null_value": null,
              "eager_global_ordinals": false, "ignore_above": 2147483647, "index_options": "docs",
              "norms": false, "similarity": null, "normalizer": null,
              "split_queries_on_whitespace": false, "meta": {}},
            "number": {"index": true, "doc_values": true, "store": false,
              "ignore_malformed": false, "coerce": true, "null_value": null, "meta": {}},
            "date": {"index": true, "doc_values": true, "store": false,
              "format": "strict_date_optional_time||epoch_millis", "locale": "en",
              "null_value": null, "ignore_malformed": false, "meta": {}},
            "date_nanos": {"index": true, "doc_values": true, "store": false,
              "format": "strict_date_optional_time_nanos||epoch_millis", "locale": "en",
              "null_value": null, "ignore_malformed": false, "meta": {}},
            "boolean": {"index": true, "doc_values": true, "store": false, "null_value": null,
              "ignore_malformed": false, "meta": {}},
            "ip": {"index": true, "doc_values": true, "store": false, "null_value": null,
              "ignore_malformed": false, "meta": {}},
            "geo_point": {"index": true, "doc_values": true, "store": false,
              "ignore_malformed": false, "ignore_z_value": true, "null_value": null, "meta": {}},
            "binary": {"doc_values": false, "store": false, "meta": {}},
            "flattened": {"index": true, "doc_values": true, "depth_limit": 20,
              "null_value": null, "eager_global_ordinals": false, "ignore_above": 2147483647,
              "index_options": "docs", "similarity": null, "split_queries_on_whitespace": false,
              "meta": {}},
            "range": {"index": true, "doc_values": true, "store": false, "coerce": true,
              "meta": {}},
            "date_range": {"index": true, "doc_values": true, "store": false, "coerce": true,
              "format": "strict_date_optional_time||epoch_millis", "locale": "en", "meta": {}},
            "completion": {"analyzer": "simple", "search_analyzer": "simple",
              "preserve_separators": true, "preserve_position_increments": true,
              "max_input_length": 50, "meta": {}}
          }
          """);
  private static final List<String> NUMBERS =
      List.of("long", "integer", "short", "byte", "double", "float", "half_float");
  private static final List<String> RANGES =
      List.of("long_range", "integer_range", "double_range", "float_range", "ip_range");

  /// Types whose values a script may make.
  private static final List<String> SCRIPTED =
      List.of("number", "date", "date_nanos", "boolean", "ip", "keyword", "geo_point");

  private static final List<String> DIMENSIONS =
      List.of("number", "boolean", "ip", "keyword", "geo_point");
  private static final List<String> METRICS = List.of("number", "geo_point");

  private static final List<String> BY_INDEX = List.of("ignore_malformed", "coerce");

  private FieldDefaults() {}

  /// Adds to a field's mapping, and to those of its multi-fields, what they do not say.
  static void add(ObjectNode mapping, IndexMetadata index) {
    String type = mapping.path("type").asText();
    String kind = NUMBERS.contains(type) ? "number" : RANGES.contains(type) ? "range" : type;
    BY_TYPE
        .path(kind)
        .properties()
        .forEach(parameter -> {
          if (!mapping.has(parameter.getKey())) {
            mapping.set(parameter.getKey(), value(parameter.getKey(), parameter.getValue(), index));
          }
        });
    addWhen(mapping, SCRIPTED.contains(kind), "script", NullNode.instance);
    addWhen(mapping, SCRIPTED.contains(kind), "on_script_error", TextNode.valueOf("fail"));
    addWhen(mapping, DIMENSIONS.contains(kind), "time_series_dimension", BooleanNode.FALSE);
    addWhen(mapping, METRICS.contains(kind), "time_series_metric", NullNode.instance);
    if (type.equals("text")) {
      addAnalyzers(mapping);
    }
    mapping
        .path("fields")
        .forEach(field -> {
          if (field instanceof ObjectNode object) {
            add(object, index);
          }
        });
  }

  private static void addWhen(ObjectNode mapping, boolean isOne, String name, JsonNode value) {
    if (isOne && !mapping.has(name)) {
      mapping.set(name, value);
    }
  }

  private static JsonNode value(String name, JsonNode value, IndexMetadata index) {
    if (name.equals("norms") && TimeSeries.isCompact(index.settings())) {
      return BooleanNode.FALSE;
    }
    if (!BY_INDEX.contains(name)) {
      return value.deepCopy();
    }
    String set = index.setting("index.mapping." + name, value.asText());
    return Json.MAPPER.getNodeFactory().booleanNode(Boolean.parseBoolean(set));
  }

  private static void addAnalyzers(ObjectNode text) {
    String before = "default"; // who says nothing searches as it is written
    for (String analyzer : List.of("analyzer", "search_analyzer", "search_quote_analyzer")) {
      before = text.path(analyzer).asText(before);
      text.put(analyzer, before);
    }
  }
}
