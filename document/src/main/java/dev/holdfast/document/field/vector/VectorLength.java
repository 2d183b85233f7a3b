package dev.holdfast.document.field.vector;

import org.apache.lucene.util.VectorUtil;

/// How long a vector is.
public final class VectorLength {
  /// Squares of smaller numbers, and sums of as many as a vector may have, are within floats.
  private static final float SMALL = 1e16f;

  private VectorLength() {}

  /// The square of its length; infinite when that is beyond floats, which Lucene's own sum asserts
  /// that it is not.
  public static float squared(float[] vector) {
    for (float number : vector) {
      if (Math.abs(number) > SMALL) {
        return large(vector);
      }
    }
    return VectorUtil.dotProduct(vector, vector);
  }

  private static float large(float[] vector) {
    double sum = 0;
    for (float number : vector) {
      sum += (double) number * number;
    }
    return (float) sum;
  }
}
