package dev.holdfast.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Rules about terms.
final class IntervalTerms {
  private IntervalTerms() {}

  /// A source over the field asked for, or over another one that a rule names.
  private static IntervalsSource over(
      QueryContext context,
      @Nullable String useField,
      String field,
      Function<FieldType, IntervalsSource> source) {
    String used = useField == null ? field : useField;
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
    return useField == null ? made : Intervals.fixField(useField, made);
  }

  private static Function<String, String> normalizing(
      QueryContext context, FieldType type, @Nullable String analyzer) {
    if (analyzer == null) {
      return type::normalize;
    }
    Analyzer named = TextQueries.analyzer(context, type, analyzer);
    return text -> named == null ? text : named.normalize("", text).utf8ToString();
  }

  /// The words of a text.
  ///
  /// @param gapsMax words between them; -1 for any number
  record Match(
      String query,
      int gapsMax,
      boolean isOrdered,
      @Nullable String analyzer,
      @Nullable String useField,
      @Nullable IntervalFilter filter)
      implements IntervalRule {
    static IntervalRule parse(JsonObject json) {
      return new Match(
          json.required("query").asText(),
          json.integer("max_gaps", -1),
          json.bool("ordered", "ordered".equals(json.string("mode"))),
          json.string("analyzer"),
          json.string("use_field"),
          IntervalFilter.parse(json));
    }

    @Override
    public IntervalsSource source(QueryContext context, String field) {
      IntervalsSource source =
          over(
              context,
              useField,
              field,
              type -> {
                Analyzer used = TextQueries.analyzer(context, type, analyzer);
                try {
                  return Intervals.analyzedText(
                      query,
                      java.util.Objects.requireNonNull(used),
                      useField == null ? field : useField,
                      gapsMax,
                      isOrdered);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      return IntervalFilter.apply(filter, source, context, field);
    }
  }

  /// Words with a prefix.
  record Prefix(String prefix, @Nullable String analyzer, @Nullable String useField)
      implements IntervalRule {
    static IntervalRule parse(JsonObject json) {
      return new Prefix(
          json.required("prefix").asText(), json.string("analyzer"), json.string("use_field"));
    }

    @Override
    public IntervalsSource source(QueryContext context, String field) {
      return over(
          context,
          useField,
          field,
          type ->
              Intervals.prefix(
                  new BytesRef(normalizing(context, type, analyzer).apply(prefix)),
                  IndexSearcher.getMaxClauseCount()));
    }
  }

  /// Words that match a pattern of `*` and `?`.
  record Wildcard(String pattern, @Nullable String analyzer, @Nullable String useField)
      implements IntervalRule {
    static IntervalRule parse(JsonObject json) {
      return new Wildcard(
          json.required("pattern").asText(), json.string("analyzer"), json.string("use_field"));
    }

    @Override
    public IntervalsSource source(QueryContext context, String field) {
      return over(
          context,
          useField,
          field,
          type ->
              Intervals.wildcard(
                  new BytesRef(normalizing(context, type, analyzer).apply(pattern)),
                  IndexSearcher.getMaxClauseCount()));
    }
  }

  /// Words that match a regular expression.
  record Regexp(String pattern, @Nullable String analyzer, @Nullable String useField)
      implements IntervalRule {
    static IntervalRule parse(JsonObject json) {
      return new Regexp(
          json.required("pattern").asText(), json.string("analyzer"), json.string("use_field"));
    }

    @Override
    public IntervalsSource source(QueryContext context, String field) {
      return over(
          context,
          useField,
          field,
          type ->
              Intervals.regexp(
                  new BytesRef(normalizing(context, type, analyzer).apply(pattern)),
                  IndexSearcher.getMaxClauseCount()));
    }
  }

  /// Words in an interval of the alphabet.
  record Range(
      @Nullable String from,
      boolean isFromInclusive,
      @Nullable String to,
      boolean isToInclusive,
      @Nullable String analyzer,
      @Nullable String useField)
      implements IntervalRule {
    static IntervalRule parse(JsonObject json) {
      JsonNode gte = json.take("gte");
      JsonNode gt = json.take("gt");
      JsonNode lte = json.take("lte");
      JsonNode lt = json.take("lt");
      JsonNode from = gte == null ? gt : gte;
      JsonNode to = lte == null ? lt : lte;
      if (from == null || to == null) {
        throw Refusal.badArgument(
            from == null
                ? "Either [gte] or [gt], one of them must be provided"
                : "Either [lte] or [lt], one of them must be provided");
      }
      return new Range(
          from.asText(),
          gte != null,
          to.asText(),
          lte != null,
          json.string("analyzer"),
          json.string("use_field"));
    }

    @Override
    public IntervalsSource source(QueryContext context, String field) {
      return over(
          context,
          useField,
          field,
          type -> {
            Function<String, String> normal = normalizing(context, type, analyzer);
            return Intervals.range(
                from == null ? null : new BytesRef(normal.apply(from)),
                to == null ? null : new BytesRef(normal.apply(to)),
                isFromInclusive,
                isToInclusive,
                IndexSearcher.getMaxClauseCount());
          });
    }
  }

  /// Words within some edits of a word.
  record Fuzzy(
      String term, Fuzziness fuzziness, @Nullable String analyzer, @Nullable String useField)
      implements IntervalRule {
    static IntervalRule parse(JsonObject json) {
      return new Fuzzy(
          json.required("term").asText(),
          Fuzziness.parse(json, "AUTO"),
          json.string("analyzer"),
          json.string("use_field"));
    }

    @Override
    public IntervalsSource source(QueryContext context, String field) {
      return over(
          context,
          useField,
          field,
          type -> {
            String text = normalizing(context, type, analyzer).apply(term);
            return Intervals.fuzzyTerm(
                text,
                fuzziness.edits(text.codePointCount(0, text.length())),
                fuzziness.prefixLength(),
                fuzziness.withTranspositions(),
                IndexSearcher.getMaxClauseCount());
          });
    }
  }
}
