package dev.holdfast.document.field.text;

import org.apache.lucene.index.FieldInvertState;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity;

/// Every match is worth its boost, however often and where the word is: `match_only_text`.
final class ConstantSimilarity extends Similarity {
  static final ConstantSimilarity ONE = new ConstantSimilarity();

  private ConstantSimilarity() {}

  @Override
  public long computeNorm(FieldInvertState state) {
    return 1;
  }

  @Override
  public SimScorer scorer(
      float boost, CollectionStatistics collectionStats, TermStatistics... termStats) {
    return new SimScorer() {
      @Override
      public float score(float freq, long norm) {
        return boost;
      }

      @Override
      public Explanation explain(Explanation freq, long norm) {
        return Explanation.match(boost, "constant score, boost");
      }
    };
  }
}
