package dev.holdfast.codec.vector;

import java.io.IOException;
import org.apache.lucene.codecs.hnsw.FlatVectorsScorer;
import org.apache.lucene.index.ByteVectorValues;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.util.VectorUtil;
import org.apache.lucene.util.hnsw.RandomVectorScorer;
import org.apache.lucene.util.hnsw.RandomVectorScorerSupplier;
import org.apache.lucene.util.hnsw.UpdateableRandomVectorScorer;

/// Scores vectors of bits by the share of bits that are the same.
final class HammingScorer implements FlatVectorsScorer {
  @Override
  public RandomVectorScorerSupplier getRandomVectorScorerSupplier(
      VectorSimilarityFunction similarity, KnnVectorValues values) throws IOException {
    return new Supplier((ByteVectorValues) values);
  }

  @Override
  public RandomVectorScorer getRandomVectorScorer(
      VectorSimilarityFunction similarity, KnnVectorValues values, float[] target) {
    throw new IllegalArgumentException("vectors of bits are searched by bits, not by floats");
  }

  @Override
  public RandomVectorScorer getRandomVectorScorer(
      VectorSimilarityFunction similarity, KnnVectorValues values, byte[] target)
      throws IOException {
    FlatVectorsScorer.checkDimensions(target.length, values.dimension());
    ByteVectorValues bits = (ByteVectorValues) values;
    return new RandomVectorScorer.AbstractRandomVectorScorer(bits) {
      @Override
      public float score(int ordinal) throws IOException {
        return HammingScorer.score(target, bits.vectorValue(ordinal));
      }
    };
  }

  private static float score(byte[] a, byte[] b) {
    int bits = Byte.SIZE * a.length;
    return (bits - VectorUtil.xorBitCount(a, b)) / (float) bits;
  }

  private record Supplier(ByteVectorValues values) implements RandomVectorScorerSupplier {
    @Override
    public UpdateableRandomVectorScorer scorer() throws IOException {
      ByteVectorValues targets = values.copy();
      ByteVectorValues others = values.copy();
      return new UpdateableRandomVectorScorer.AbstractUpdateableRandomVectorScorer(others) {
        private byte[] target = new byte[values.dimension()];

        @Override
        public void setScoringOrdinal(int ordinal) throws IOException {
          target = targets.vectorValue(ordinal).clone();
        }

        @Override
        public float score(int ordinal) throws IOException {
          return HammingScorer.score(target, others.vectorValue(ordinal));
        }
      };
    }

    @Override
    public RandomVectorScorerSupplier copy() throws IOException {
      return new Supplier(values.copy());
    }
  }
}
