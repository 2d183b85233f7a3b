package dev.holdfast.query;

import dev.holdfast.document.MappedField;
import dev.holdfast.document.Mapping;
import org.apache.lucene.index.FieldInvertState;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.PerFieldSimilarityWrapper;
import org.apache.lucene.search.similarities.Similarity;

/// How well a document matches a term: Lucene's BM25 times `k1 + 1`, as Elasticsearch scores. The
/// norms in the index are those of plain BM25.
public final class ElasticsearchSimilarity extends Similarity {
  private static final float K1 = 1.2f;
  private static final float B = 0.75f;

  /// The factor that BM25 had by its book, and that Lucene left out since version 8.
  private static final float BOOST = K1 + 1;

  private static final ElasticsearchSimilarity ONE = new ElasticsearchSimilarity();

  private final BM25Similarity bm25 = new BM25Similarity(K1, B);

  private ElasticsearchSimilarity() {}

  /// A searcher that scores as Elasticsearch does.
  public static IndexSearcher searcher(IndexReader reader) {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setSimilarity(ONE);
    return searcher;
  }

  /// The searcher of a request: the one given, or one like it that scores some fields as their
  /// mapping says.
  public static IndexSearcher searcher(IndexSearcher searcher, Mapping mapping) {
    if (!mapping.hasSimilarities()) {
      return searcher;
    }
    IndexSearcher own = new IndexSearcher(searcher.getIndexReader());
    own.setQueryCache(searcher.getQueryCache());
    own.setQueryCachingPolicy(searcher.getQueryCachingPolicy());
    own.setSimilarity(
        new PerFieldSimilarityWrapper() {
          @Override
          public Similarity get(String name) {
            MappedField field = mapping.field(name);
            Similarity similarity = field == null ? null : field.type().similarity();
            return similarity == null ? ONE : similarity;
          }
        });
    return own;
  }

  @Override
  public long computeNorm(FieldInvertState state) {
    return bm25.computeNorm(state);
  }

  @Override
  public SimScorer scorer(float boost, CollectionStatistics collection, TermStatistics... terms) {
    return bm25.scorer(boost * BOOST, collection, terms);
  }
}
