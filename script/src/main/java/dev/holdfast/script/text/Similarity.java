package dev.holdfast.script.text;

/// What the script of a similarity knows.
public final class Similarity {
  private Similarity() {}

  /// The query.
  public record Query(float boost) {
    public float getBoost() {
      return boost;
    }
  }

  /// The field in all documents of the shard.
  public record Field(long docCount, long sumDocFreq, long sumTotalTermFreq) {
    public long getDocCount() {
      return docCount;
    }

    public long getSumDocFreq() {
      return sumDocFreq;
    }

    public long getSumTotalTermFreq() {
      return sumTotalTermFreq;
    }
  }

  /// The term in all documents of the shard.
  public record Term(long docFreq, long totalTermFreq) {
    public long getDocFreq() {
      return docFreq;
    }

    public long getTotalTermFreq() {
      return totalTermFreq;
    }
  }

  /// The document.
  ///
  /// @param length terms of the field in it, rounded as the index does
  public record Doc(int length, float freq) {
    public int getLength() {
      return length;
    }

    public float getFreq() {
      return freq;
    }
  }
}
