package dev.holdfast.script.value;

import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The vector of a field, and how near others are to it.
public final class VectorOfField extends DocValuesOfField<Object> {
  /// The vectors of a segment.
  public interface Source {
    /// The vector of a document as floats, bytes widened; null when it has none. Valid until the
    /// next call.
    float @Nullable [] of(int doc) throws IOException;
  }

  /// What numbers a vector is of.
  public enum Elements {
    FLOAT,
    BYTE,
    /// Eight in each byte.
    BIT
  }

  private final Source source;
  private final Elements elements;
  private float @Nullable [] vector;
  private @Nullable Object lastGiven;
  private float[] last = new float[0];

  public VectorOfField(Source source, Elements elements) {
    this.source = source;
    this.elements = elements;
  }

  @Override
  protected int read(int document) throws IOException {
    float[] found = source.of(document);
    vector = found;
    return found == null ? 0 : 1;
  }

  @Override
  public Object get(int index) {
    throw new UnsupportedOperationException(
        "accessing a vector field's value through 'get' or 'value' is not supported, use"
            + " 'vectorValue' or 'magnitude' instead.");
  }

  private float[] known() {
    if (load() == 0 || vector == null) {
      throw new IllegalArgumentException("A document doesn't have a value for a vector field!");
    }
    return vector;
  }

  public float[] getVectorValue() {
    return known().clone();
  }

  public float getMagnitude() {
    float[] of = known();
    return (float) Math.sqrt(dot(of, of));
  }

  /// A vector of the request, read once while the same object comes.
  @SuppressWarnings("ReferenceEquality") // comparing the numbers would cost as much as reading them
  private float[] query(@Nullable Object given, float[] of) {
    if (given != lastGiven || given == null) {
      last = read(given);
      lastGiven = given;
    }
    if (last.length != of.length) {
      throw new IllegalArgumentException(
          "The query vector has a different number of dimensions ["
              + dimensions(last)
              + "] than the document vectors ["
              + dimensions(of)
              + "].");
    }
    return last;
  }

  private int dimensions(float[] vector) {
    return elements == Elements.BIT ? vector.length * Byte.SIZE : vector.length;
  }

  private float[] read(@Nullable Object given) {
    if (given instanceof String text && elements != Elements.FLOAT) {
      byte[] bytes = HexFormat.of().parseHex(text);
      float[] read = new float[bytes.length];
      for (int i = 0; i < read.length; i++) {
        read[i] = bytes[i];
      }
      return read;
    }
    if (given instanceof float[] floats) {
      return floats;
    }
    if (!(given instanceof List<?> numbers)) {
      throw new IllegalArgumentException("Cannot use vector [" + given + "]: expected numbers");
    }
    float[] read = new float[numbers.size()];
    for (int i = 0; i < read.length; i++) {
      if (!(numbers.get(i) instanceof Number n)) {
        throw new IllegalArgumentException("vector element is no number: [" + numbers.get(i) + "]");
      }
      read[i] = n.floatValue();
      if (elements != Elements.FLOAT && (read[i] != (byte) read[i])) {
        throw new IllegalArgumentException(
            "element_type [byte] vectors only support integers between [-128, 127] but found ["
                + n
                + "] at dim ["
                + i
                + "]");
      }
    }
    return read;
  }

  public double dotProduct(@Nullable Object given) {
    float[] of = known();
    float[] query = query(given, of);
    return elements == Elements.BIT ? bits(query, of, true) : dot(query, of);
  }

  public double cosineSimilarity(@Nullable Object given) {
    float[] of = known();
    float[] query = query(given, of);
    if (elements == Elements.BIT) {
      double product = Math.sqrt((double) bits(query, query, true) * bits(of, of, true));
      return bits(query, of, true) / product;
    }
    return dot(query, of) / Math.sqrt((double) dot(query, query) * dot(of, of));
  }

  public double l1norm(@Nullable Object given) {
    float[] of = known();
    float[] query = query(given, of);
    if (elements == Elements.BIT) {
      return bits(query, of, false);
    }
    double sum = 0;
    for (int i = 0; i < of.length; i++) {
      sum += Math.abs(of[i] - query[i]);
    }
    return sum;
  }

  public double l2norm(@Nullable Object given) {
    float[] of = known();
    float[] query = query(given, of);
    if (elements == Elements.BIT) {
      return Math.sqrt(bits(query, of, false));
    }
    double sum = 0;
    for (int i = 0; i < of.length; i++) {
      double difference = of[i] - query[i];
      sum += difference * difference;
    }
    return Math.sqrt(sum);
  }

  public double hamming(@Nullable Object given) {
    if (elements == Elements.FLOAT) {
      throw new IllegalArgumentException("hamming distance is only supported for byte vectors");
    }
    float[] of = known();
    return bits(query(given, of), of, false);
  }

  private static int bits(float[] a, float[] b, boolean isBoth) {
    int count = 0;
    for (int i = 0; i < a.length; i++) {
      int x = (byte) a[i];
      int y = (byte) b[i];
      count += Integer.bitCount((isBoth ? x & y : x ^ y) & 0xFF);
    }
    return count;
  }

  /// Four sums at once, which the compiler can keep apart.
  private static float dot(float[] a, float[] b) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    int i = 0;
    for (; i < a.length - 3; i += 4) {
      s0 = Math.fma(a[i], b[i], s0);
      s1 = Math.fma(a[i + 1], b[i + 1], s1);
      s2 = Math.fma(a[i + 2], b[i + 2], s2);
      s3 = Math.fma(a[i + 3], b[i + 3], s3);
    }
    for (; i < a.length; i++) {
      s0 = Math.fma(a[i], b[i], s0);
    }
    return s0 + s1 + (s2 + s3);
  }
}
