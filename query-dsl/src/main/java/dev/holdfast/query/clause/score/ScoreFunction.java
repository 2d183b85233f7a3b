package dev.holdfast.query.clause.score;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryContext;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DoubleValues;
import org.jspecify.annotations.Nullable;

/// A function of `function_score`: a number for each document.
interface ScoreFunction {
  /// Reads the body of one kind of function.
  @FunctionalInterface
  interface Parser {
    ScoreFunction parse(JsonNode body);
  }

  /// A function at work on one index.
  @FunctionalInterface
  interface Bound {
    Values in(LeafReaderContext leaf) throws IOException;
  }

  /// Numbers for the documents of one segment, asked in order.
  @FunctionalInterface
  interface Values {
    double of(int doc) throws IOException;
  }

  /// A function that is told the score of the query.
  @FunctionalInterface
  interface ScoredBound extends Bound {
    Values in(LeafReaderContext leaf, @Nullable DoubleValues scores) throws IOException;

    @Override
    default Values in(LeafReaderContext leaf) throws IOException {
      return in(leaf, null);
    }
  }

  /// Whether it asks for the score of the query.
  default boolean needsScores() {
    return false;
  }

  Bound bind(QueryContext context);
}
