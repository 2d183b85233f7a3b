package dev.holdfast.document;

import java.util.SortedMap;

/// Limits of an index that its mapping and its searches obey; Elasticsearch's names and defaults.
///
/// @param totalFieldsMax `index.mapping.total_fields.limit`
/// @param depthMax `index.mapping.depth.limit`
/// @param fieldNameLengthMax `index.mapping.field_name_length.limit`
/// @param resultWindowMax `index.max_result_window`
/// @param termsMax `index.max_terms_count`
/// @param defaultFields `index.query.default_field`
public record DocumentLimits(
    int totalFieldsMax,
    int depthMax,
    int fieldNameLengthMax,
    int resultWindowMax,
    int termsMax,
    java.util.List<String> defaultFields) {

  /// Reads the limits from flat index settings.
  public static DocumentLimits of(SortedMap<String, Object> settings) {
    Object fields = settings.get("index.query.default_field");
    return new DocumentLimits(
        number(settings, "index.mapping.total_fields.limit", 1000),
        number(settings, "index.mapping.depth.limit", 20),
        number(settings, "index.mapping.field_name_length.limit", Integer.MAX_VALUE),
        number(settings, "index.max_result_window", 10_000),
        number(settings, "index.max_terms_count", 65_536),
        switch (fields) {
          case null -> java.util.List.of("*");
          case java.util.List<?> list -> list.stream().map(Object::toString).toList();
          default -> java.util.List.of(fields.toString().split(","));
        });
  }

  private static int number(SortedMap<String, Object> settings, String name, long whenAbsent) {
    Object value = settings.get(name);
    return (int)
        Math.min(Integer.MAX_VALUE, value == null ? whenAbsent : Long.parseLong(value.toString()));
  }
}
