package dev.holdfast.script.value;

import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;

/// Numbers from 0 to 2^64 - 1, as Java's `long`: what is above `Long.MAX_VALUE` is negative, and
/// `Long.divideUnsigned` and its like make of it what it is.
public final class UnsignedLongs extends DocValuesOfField<Long> {
  private final Numbers source;
  private final LongUnaryOperator meaning;
  private long[] values = new long[4];

  /// @param meaning the 64 bits of a number of the column
  public UnsignedLongs(Numbers source, LongUnaryOperator meaning) {
    this.source = source;
    this.meaning = meaning;
  }

  @Override
  protected int read(int document) throws IOException {
    int count = source.count(document);
    if (count > values.length) {
      values = Arrays.copyOf(values, Math.max(count, 2 * values.length));
    }
    for (int i = 0; i < count; i++) {
      values[i] = meaning.applyAsLong(source.next());
    }
    return count;
  }

  @Override
  public Long get(int index) {
    requireIndex(index);
    return values[index];
  }

  /// The first value.
  public long getValue() {
    requireAny();
    return values[0];
  }

  /// A value as it is meant.
  BigInteger big(int index) {
    long bits = get(index);
    BigInteger value = BigInteger.valueOf(bits);
    return bits >= 0 ? value : value.add(BigInteger.ONE.shiftLeft(Long.SIZE));
  }

  /// All values as they are meant, for those who compute with doubles.
  public List<Double> doubles() {
    Double[] all = new Double[size()];
    Arrays.setAll(all, index -> big(index).doubleValue());
    return List.of(all);
  }
}
