package dev.holdfast.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// A kind of field: reads JSON values into columns, makes Lucene queries, and says how its doc
/// values are read. One file a kind, one line in [FieldTypes]. Immutable.
///
/// `field` parameters are full paths (`user.name`); JSON values are what the client sent.
public interface FieldType {
  /// Elasticsearch's name: `keyword`.
  String typeName();

  /// The mapping of this field as `GET _mapping` shows it, `type` first, defaults left out, without
  /// `fields`.
  ObjectNode toJson();

  /// This type after a mapping update asked for `changed`.
  ///
  /// @throws dev.holdfast.world.Refusal `illegal_argument_exception` when a parameter that can't
  ///   change differs
  FieldType merge(String field, FieldType changed);

  /// Columns for the values of this field in one batch.
  FieldColumns newColumns(String field);

  /// Whether objects are values of this field (`{"lat": 1, "lon": 2}`), given whole to the columns.
  default boolean readsObjects() {
    return false;
  }

  /// Whether arrays are values of this field (`[lon, lat]`), given whole to the columns.
  default boolean readsArrays() {
    return false;
  }

  /// Whether the names of fields like this go into `_field_names`, because nothing else tells which
  /// documents have a value.
  default boolean needsFieldName() {
    return false;
  }

  /// The mapping of this field after its first value in any document, or null when values teach it
  /// nothing (all kinds but a `constant_keyword` without a value).
  default @Nullable ObjectNode learn(JsonNode value) {
    return null;
  }

  /// Whether [#learn] would answer.
  default boolean learns() {
    return false;
  }

  /// Whether documents can be found by it (inverted index, points, or doc values).
  boolean isSearchable();

  /// How its doc values are stored; [ValuesKind#NONE] when it has none.
  ValuesKind values();

  /// How doc values and terms of this field are shown and parsed.
  ///
  /// @param pattern the request's `format`, null for the field's own
  /// @param zone the request's `time_zone`, null for UTC
  /// @throws dev.holdfast.world.Refusal when the kind takes no format and one is given
  ValueFormat format(@Nullable String pattern, java.time.@Nullable ZoneId zone);

  /// The analyser for query text, or null when the field's values are not analysed (then
  /// [#termQuery] is what `match` means).
  default @Nullable Analyzer searchAnalyzer() {
    return null;
  }

  /// Documents with exactly this value.
  ///
  /// @param nowMillis what `now` means in date math
  /// @throws dev.holdfast.world.Refusal `query_shard_exception` or `illegal_argument_exception`
  ///   when the value can't be one of this field
  Query termQuery(String field, JsonNode value, long nowMillis);

  /// Documents with any of these values.
  Query termsQuery(String field, List<JsonNode> values, long nowMillis);

  /// Documents with a value in a range.
  Query rangeQuery(String field, Range range, long nowMillis);

  /// Documents with any value.
  Query existsQuery(String field);

  /// The term whose prefix, wildcard or fuzzy expansion a query walks: true for keyword-like and
  /// text fields.
  default boolean hasTerms() {
    return false;
  }

  /// Normalises text as the field's terms are (a keyword's normaliser, a text field's analyser for
  /// multi-term queries).
  default String normalize(String text) {
    return text;
  }

  /// The ends of a `range` query.
  ///
  /// @param from null for open
  /// @param to null for open
  /// @param format the query's `format`, null for the field's
  /// @param zone the query's `time_zone`, null for UTC
  record Range(
      @Nullable JsonNode from,
      boolean isFromInclusive,
      @Nullable JsonNode to,
      boolean isToInclusive,
      @Nullable String format,
      java.time.@Nullable ZoneId zone) {}
}
