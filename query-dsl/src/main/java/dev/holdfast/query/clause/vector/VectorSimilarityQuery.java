package dev.holdfast.query.clause.vector;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DoubleValues;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/// How near the vectors of documents are to one, each computed: no graph is walked.
final class VectorSimilarityQuery extends DoubleValuesSource {
  private final String field;
  private final float @Nullable [] floats;
  private final byte @Nullable [] bytes;

  /// One of the vectors is given: as the elements of the field are.
  VectorSimilarityQuery(String field, float @Nullable [] floats, byte @Nullable [] bytes) {
    this.field = field;
    this.floats = floats;
    this.bytes = bytes;
  }

  @Override
  public DoubleValues getValues(LeafReaderContext leaf, @Nullable DoubleValues scores)
      throws IOException {
    return floats != null
        ? similarityToQueryVector(leaf, floats, field)
        : similarityToQueryVector(leaf, bytes, field);
  }

  @Override
  public boolean needsScores() {
    return false;
  }

  @Override
  public DoubleValuesSource rewrite(IndexSearcher searcher) {
    return this;
  }

  @Override
  public boolean isCacheable(LeafReaderContext leaf) {
    return true;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * field.hashCode() + Arrays.hashCode(floats)) + Arrays.hashCode(bytes);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof VectorSimilarityQuery scores
        && scores.field.equals(field)
        && Arrays.equals(scores.floats, floats)
        && Arrays.equals(scores.bytes, bytes);
  }

  @Override
  public String toString() {
    return "nearness(" + field + ")";
  }
}
