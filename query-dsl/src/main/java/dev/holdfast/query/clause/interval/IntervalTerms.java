package dev.holdfast.query.clause.interval;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.clause.term.Fuzziness;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Rules about terms.
final class IntervalTerms {
  private IntervalTerms() {}

  /// The words of a text.
  ///
  /// @param gapsMax words between them; -1 for any number
  record Match(
      String query,
      int gapsMax,
      boolean isOrdered,
      IntervalField of,
      @Nullable IntervalFilter filter)
      implements IntervalRule {
    static IntervalRule parse(JsonObject json) {
      return new Match(
          json.requiredText("query"),
          json.integer("max_gaps", -1),
          json.bool("ordered", "ordered".equals(json.string("mode"))),
          IntervalField.parse(json),
          IntervalFilter.parse(json));
    }

    @Override
    public IntervalsSource source(QueryContext context, String field) {
      IntervalsSource source =
          of.source(
              context,
              field,
              type -> {
                Analyzer used = Objects.requireNonNull(of.analyzer(context, type));
                try {
                  return Intervals.analyzedText(query, used, of.of(field), gapsMax, isOrdered);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      return IntervalFilter.apply(filter, source, context, field);
    }
  }

  /// Words with a prefix.
  record Prefix(String prefix, IntervalField of) implements IntervalRule {
    static IntervalRule parse(JsonObject json) {
      return new Prefix(json.requiredText("prefix"), IntervalField.parse(json));
    }

    @Override
    public IntervalsSource source(QueryContext context, String field) {
      return of.ofTerm(
          context,
          field,
          prefix,
          term -> Intervals.prefix(new BytesRef(term), IndexSearcher.getMaxClauseCount()));
    }
  }

  /// Words that match a pattern of `*` and `?`.
  record Wildcard(String pattern, IntervalField of) implements IntervalRule {
    static IntervalRule parse(JsonObject json) {
      return new Wildcard(json.requiredText("pattern"), IntervalField.parse(json));
    }

    @Override
    public IntervalsSource source(QueryContext context, String field) {
      return of.ofTerm(
          context,
          field,
          pattern,
          term -> Intervals.wildcard(new BytesRef(term), IndexSearcher.getMaxClauseCount()));
    }
  }

  /// Words that match a regular expression.
  record Regexp(String pattern, IntervalField of) implements IntervalRule {
    static IntervalRule parse(JsonObject json) {
      return new Regexp(json.requiredText("pattern"), IntervalField.parse(json));
    }

    @Override
    public IntervalsSource source(QueryContext context, String field) {
      return of.ofTerm(
          context,
          field,
          pattern,
          term -> Intervals.regexp(new BytesRef(term), IndexSearcher.getMaxClauseCount()));
    }
  }

  /// Words in an interval of the alphabet.
  record Range(
      String from, boolean isFromInclusive, String to, boolean isToInclusive, IntervalField of)
      implements IntervalRule {
    static IntervalRule parse(JsonObject json) {
      String gte = end(json, "gte");
      String gt = end(json, "gt");
      String lte = end(json, "lte");
      String lt = end(json, "lt");
      String from = gte == null ? gt : gte;
      String to = lte == null ? lt : lte;
      if (from == null || to == null) {
        throw Refusal.badArgument(
            from == null
                ? "Either [gte] or [gt], one of them must be provided"
                : "Either [lte] or [lt], one of them must be provided");
      }
      return new Range(from, gte != null, to, lte != null, IntervalField.parse(json));
    }

    private static @Nullable String end(JsonObject json, String name) {
      JsonNode given = json.take(name);
      if (given != null && !given.isTextual()) {
        throw new Refusal(
            ErrorType.X_CONTENT_PARSE,
            "[range] " + name + " doesn't support values of type: " + JsonObject.token(given));
      }
      return given == null ? null : given.asText();
    }

    @Override
    public IntervalsSource source(QueryContext context, String field) {
      return of.source(
          context,
          field,
          type ->
              Intervals.range(
                  new BytesRef(of.term(context, type, from)),
                  new BytesRef(of.term(context, type, to)),
                  isFromInclusive,
                  isToInclusive,
                  IndexSearcher.getMaxClauseCount()));
    }
  }

  /// Words within some edits of a word.
  record Fuzzy(String term, Fuzziness fuzziness, IntervalField of) implements IntervalRule {
    static IntervalRule parse(JsonObject json) {
      return new Fuzzy(
          json.requiredText("term"), Fuzziness.parse(json, "AUTO"), IntervalField.parse(json));
    }

    @Override
    public IntervalsSource source(QueryContext context, String field) {
      return of.ofTerm(
          context,
          field,
          term,
          normal ->
              Intervals.fuzzyTerm(
                  normal,
                  fuzziness.edits(normal.codePointCount(0, normal.length())),
                  fuzziness.prefixLength(),
                  fuzziness.withTranspositions(),
                  IndexSearcher.getMaxClauseCount()));
    }
  }
}
