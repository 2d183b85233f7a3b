package dev.holdfast.query.clause.score;

import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.clause.score.FunctionScoreClause.Weighted;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.DoubleValues;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/// The scores of a `function_score` query as Lucene asks for them.
final class FunctionScores extends DoubleValuesSource {
  private final FunctionScoreClause clause;
  private final String index;
  private final List<Part> parts;

  private FunctionScores(FunctionScoreClause clause, String index, List<Part> parts) {
    this.clause = clause;
    this.index = index;
    this.parts = parts;
  }

  /// A function bound to an index.
  ///
  /// @param filter null for all documents
  /// @param weight of the filter, once the searcher is known
  private record Part(
      Weighted function,
      ScoreFunction.@Nullable Bound bound,
      @Nullable Query filter,
      @Nullable Weight weight) {}

  static FunctionScores of(FunctionScoreClause clause, QueryContext context) {
    List<Part> parts = new ArrayList<>();
    for (Weighted function : clause.functions()) {
      QueryClause filter = function.filter();
      ScoreFunction inner = function.function();
      parts.add(
          new Part(
              function,
              inner == null ? null : inner.bind(context),
              filter == null ? null : new ConstantScoreQuery(filter.toLucene(context)),
              null));
    }
    return new FunctionScores(clause, context.index(), List.copyOf(parts));
  }

  @Override
  public DoubleValuesSource rewrite(IndexSearcher searcher) throws IOException {
    List<Part> ready = new ArrayList<>();
    for (Part part : parts) {
      Query filter = part.filter;
      Weight weight =
          filter == null
              ? null
              : searcher.createWeight(searcher.rewrite(filter), ScoreMode.COMPLETE_NO_SCORES, 1);
      ready.add(new Part(part.function, part.bound, filter, weight));
    }
    return new FunctionScores(clause, index, List.copyOf(ready));
  }

  @Override
  public boolean needsScores() {
    return clause.boostMode() != FunctionScoreClause.BoostMode.REPLACE
        || clause.functions().stream()
            .anyMatch(each -> each.function() != null && each.function().needsScores());
  }

  @Override
  public DoubleValues getValues(LeafReaderContext leaf, DoubleValues scores) throws IOException {
    List<InSegment> functions = new ArrayList<>();
    for (Part part : parts) {
      functions.add(InSegment.of(part, leaf, scores));
    }
    // Lucene hands no scores over where none are needed.
    DoubleValues needed = needsScores() ? scores : null;
    InSegment single = isSingle() ? functions.getFirst() : null;
    FunctionScoreClause.BoostMode boostMode = clause.boostMode();
    float boostMax = clause.boostMax();
    return new DoubleValues() {
      private int current = -1;

      @Override
      public double doubleValue() throws IOException {
        double factor = single == null ? factor(functions, current) : single.number(current);
        double score = needed == null ? 1 : needed.doubleValue();
        float result = boostMode.combine(score, factor, boostMax);
        if (Float.isNaN(result) || result < 0) {
          throw Refusal.badArgument(
              "function score query returned an invalid score: " + result + " for doc: " + current);
        }
        return result;
      }

      @Override
      public boolean advanceExact(int doc) throws IOException {
        current = doc;
        return needed == null || needed.advanceExact(doc);
      }
    };
  }

  /// Whether there is one function, for all documents, and no average that its weight falls out of.
  private boolean isSingle() {
    return parts.size() == 1
        && parts.getFirst().filter == null
        && clause.scoreMode() != FunctionScoreClause.ScoreMode.AVG;
  }

  private double factor(List<InSegment> functions, int doc) throws IOException {
    double product = 1;
    double sum = 0;
    double weights = 0;
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    boolean isAny = false;
    for (InSegment function : functions) {
      if (!function.matches(doc)) {
        continue;
      }
      double number = function.number(doc);
      if (clause.scoreMode() == FunctionScoreClause.ScoreMode.FIRST) {
        return number;
      }
      isAny = true;
      product *= number;
      sum += number;
      weights += function.weight;
      least = Math.min(least, number);
      greatest = Math.max(greatest, number);
    }
    if (!isAny) {
      return 1;
    }
    return switch (clause.scoreMode()) {
      case FIRST, MULTIPLY -> product;
      case SUM -> sum;
      case AVG -> weights == 0 ? 1 : sum / weights;
      case MIN -> least;
      case MAX -> greatest;
    };
  }

  /// A function in one segment.
  private static final class InSegment {
    private final @Nullable DocIdSetIterator filter;
    private final boolean hasFilter;
    private final ScoreFunction.@Nullable Values values;
    private final float weight;

    private InSegment(
        @Nullable DocIdSetIterator filter,
        boolean hasFilter,
        ScoreFunction.@Nullable Values values,
        float weight) {
      this.filter = filter;
      this.hasFilter = hasFilter;
      this.values = values;
      this.weight = weight;
    }

    static InSegment of(Part part, LeafReaderContext leaf, DoubleValues scores) throws IOException {
      Weight weight = part.weight;
      Scorer scorer = weight == null ? null : weight.scorer(leaf);
      ScoreFunction.Bound bound = part.bound;
      return new InSegment(
          scorer == null ? null : scorer.iterator(),
          part.filter != null,
          bound instanceof ScoreFunction.ScoredBound scored
              ? scored.in(leaf, scores)
              : bound == null ? null : bound.in(leaf),
          part.function.weightOrOne());
    }

    boolean matches(int doc) throws IOException {
      if (!hasFilter) {
        return true;
      }
      if (filter == null) {
        return false;
      }
      int at = filter.docID() < doc ? filter.advance(doc) : filter.docID();
      return at == doc;
    }

    double number(int doc) throws IOException {
      return weight * (values == null ? 1 : values.of(doc));
    }
  }

  @Override
  public Explanation explain(LeafReaderContext leaf, int doc, Explanation score)
      throws IOException {
    List<InSegment> functions = new ArrayList<>();
    for (Part part : parts) {
      functions.add(
          InSegment.of(
              part,
              leaf,
              DoubleValuesSource.constant(score.getValue().doubleValue()).getValues(leaf, null)));
    }
    double factor = factor(functions, doc);
    float result =
        clause.boostMode().combine(score.getValue().doubleValue(), factor, clause.boostMax());
    return Explanation.match(
        result,
        "function score, boost_mode [" + clause.boostMode() + "]",
        score,
        Explanation.match(
            Math.min(factor, clause.boostMax()),
            "function score, score mode [" + clause.scoreMode() + "]"));
  }

  @Override
  public boolean isCacheable(LeafReaderContext leaf) {
    return false;
  }

  @Override
  public int hashCode() {
    return clause.hashCode();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FunctionScores scores
        && scores.clause.equals(clause)
        && scores.index.equals(index);
  }

  @Override
  public String toString() {
    return "functions(" + clause.functions() + ")";
  }
}
