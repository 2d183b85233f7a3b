package dev.holdfast.document.field;

import org.apache.lucene.index.FieldInvertState;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;

/// BM25 with an index's own constants, times `k1 + 1`, as Elasticsearch scores.
final class Bm25 extends Similarity {
  private final BM25Similarity bm25;
  private final float factor;

  Bm25(float k1, float b) {
    bm25 = new BM25Similarity(k1, b);
    factor = k1 + 1;
  }

  @Override
  public long computeNorm(FieldInvertState state) {
    return bm25.computeNorm(state);
  }

  @Override
  public SimScorer scorer(float boost, CollectionStatistics collection, TermStatistics... terms) {
    return bm25.scorer(boost * factor, collection, terms);
  }
}
