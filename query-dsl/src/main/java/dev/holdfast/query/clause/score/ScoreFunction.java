package dev.holdfast.query.clause.score;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.query.QueryContext;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;

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

  Bound bind(QueryContext context);
}
