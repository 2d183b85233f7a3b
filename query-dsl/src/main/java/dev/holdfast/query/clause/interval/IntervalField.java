package dev.holdfast.query.clause.interval;

import dev.holdfast.document.FieldType;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.clause.fulltext.TextQueries;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.jspecify.annotations.Nullable;

/// Where a rule about terms looks them up, and how it makes terms of what the request says.
///
/// @param analyzer instead of the field's own
/// @param useField instead of the field that the query is about
record IntervalField(@Nullable String analyzer, @Nullable String useField) {
  static IntervalField parse(JsonObject json) {
    return new IntervalField(json.string("analyzer"), json.string("use_field"));
  }

  /// The field looked at when the query is about `field`.
  String of(String field) {
    return useField == null ? field : useField;
  }

  /// A source over this field, by its type.
  IntervalsSource source(
      QueryContext context, String field, Function<FieldType, IntervalsSource> source) {
    String used = of(field);
    FieldType type = context.type(used);
    if (type == null) {
      return Intervals.noIntervals("unmapped field [" + used + "]");
    }
    if (type.searchAnalyzer() == null) {
      throw Refusal.badArgument(
          "Can only use interval queries on text fields - not on ["
              + used
              + "] which is of type ["
              + type.typeName()
              + "]");
    }
    IntervalsSource made = source.apply(type);
    return useField == null ? made : Intervals.fixField(context.path(useField), made);
  }

  /// A source made of one text of the request, as the terms of the field are written.
  IntervalsSource ofTerm(
      QueryContext context, String field, String text, Function<String, IntervalsSource> source) {
    return source(context, field, type -> source.apply(term(context, type, text)));
  }

  /// A text of the request as the terms of the field are written.
  String term(QueryContext context, FieldType type, String text) {
    if (analyzer == null) {
      return type.normalize(text);
    }
    Analyzer named = analyzer(context, type);
    return named == null ? text : named.normalize("", text).utf8ToString();
  }

  @Nullable Analyzer analyzer(QueryContext context, FieldType type) {
    return TextQueries.analyzer(context, type, analyzer);
  }
}
