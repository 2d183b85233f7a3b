package dev.holdfast.document;

import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// Limits of an index that its mapping and its searches obey; Elasticsearch's names and defaults.
///
/// @param totalFieldsMax `index.mapping.total_fields.limit`
/// @param ignoresFieldsBeyondLimit `index.mapping.total_fields.ignore_dynamic_beyond_limit`
/// @param depthMax `index.mapping.depth.limit`
/// @param fieldNameLengthMax `index.mapping.field_name_length.limit`
/// @param nestedFieldsMax `index.mapping.nested_fields.limit`
/// @param nestedObjectsMax `index.mapping.nested_objects.limit`
/// @param resultWindowMax `index.max_result_window`
/// @param termsMax `index.max_terms_count`
/// @param regexpLengthMax `index.max_regex_length`
/// @param rescoreWindowMax `index.max_rescore_window`
/// @param innerWindowMax `index.max_inner_result_window`
/// @param docValueFieldsMax `index.max_docvalue_fields_search`
/// @param scriptFieldsMax `index.max_script_fields`
/// @param analyzedOffsetMax `index.highlight.max_analyzed_offset`
/// @param defaultFields `index.query.default_field`
/// @param hidesVectors `index.mapping.exclude_source_vectors`
public record DocumentLimits(
    int totalFieldsMax,
    boolean ignoresFieldsBeyondLimit,
    int depthMax,
    int fieldNameLengthMax,
    int nestedFieldsMax,
    int nestedObjectsMax,
    int resultWindowMax,
    int termsMax,
    int regexpLengthMax,
    int rescoreWindowMax,
    int innerWindowMax,
    int docValueFieldsMax,
    int scriptFieldsMax,
    int analyzedOffsetMax,
    java.util.List<String> defaultFields,
    boolean hidesVectors) {
  private static final String HIDES_VECTORS = "index.mapping.exclude_source_vectors";

  /// Reads the limits from flat index settings.
  public static DocumentLimits of(SortedMap<String, Object> settings) {
    Object fields = settings.get("index.query.default_field");
    return new DocumentLimits(
        number(settings, "index.mapping.total_fields.limit", 1000),
        Boolean.parseBoolean(
            String.valueOf(settings.get("index.mapping.total_fields.ignore_dynamic_beyond_limit"))),
        number(settings, "index.mapping.depth.limit", 20),
        number(settings, "index.mapping.field_name_length.limit", Integer.MAX_VALUE),
        number(settings, "index.mapping.nested_fields.limit", 100),
        number(settings, "index.mapping.nested_objects.limit", 10_000),
        number(settings, "index.max_result_window", 10_000),
        number(settings, "index.max_terms_count", 65_536),
        number(settings, "index.max_regex_length", 1000),
        number(
            settings,
            "index.max_rescore_window",
            number(settings, "index.max_result_window", 10_000)),
        number(settings, "index.max_inner_result_window", 100),
        number(settings, "index.max_docvalue_fields_search", 100),
        number(settings, "index.max_script_fields", 32),
        number(settings, "index.highlight.max_analyzed_offset", 1_000_000),
        switch (fields) {
          case null -> java.util.List.of("*");
          case java.util.List<?> list -> list.stream().map(Object::toString).toList();
          default -> java.util.List.of(fields.toString().split(","));
        },
        hidesVectors(settings.get(HIDES_VECTORS)));
  }

  /// Whether sources are shown without vectors unless a request says otherwise.
  ///
  /// @param setting null for the default
  public static boolean hidesVectors(@Nullable Object setting) {
    return setting == null || Boolean.parseBoolean(setting.toString());
  }

  private static int number(SortedMap<String, Object> settings, String name, long whenAbsent) {
    Object value = settings.get(name);
    return (int)
        Math.min(Integer.MAX_VALUE, value == null ? whenAbsent : Long.parseLong(value.toString()));
  }
}
