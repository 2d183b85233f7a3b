package dev.holdfast.query.collect;

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;

/// Lucene's weights of queries that have not been rewritten yet.
public final class Weights {
  private Weights() {}

  /// A weight of a query that has not been rewritten yet.
  public static Weight of(
      IndexSearcher searcher, Query query, boolean needsScores, ScoreMode withScores)
      throws IOException {
    return needsScores
        ? searcher.createWeight(searcher.rewrite(query), withScores, 1)
        : searcher.createWeight(
            searcher.rewrite(new ConstantScoreQuery(query)), ScoreMode.COMPLETE_NO_SCORES, 1);
  }

  /// How many documents match, where Lucene knows without looking at each; -1 where not.
  public static long cheapCount(IndexSearcher searcher, Weight weight) throws IOException {
    long count = 0;
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      int inSegment = weight.count(leaf);
      if (inSegment < 0) {
        return -1;
      }
      count += inSegment;
    }
    return count;
  }
}
