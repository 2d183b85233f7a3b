package dev.holdfast.script.value;

import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.LongFunction;

/// Numbers from 0 to 2^64 - 1.
public final class UnsignedLongs extends DocValuesOfField<BigInteger> {
  private final Numbers source;
  private BigInteger[] values = new BigInteger[4];
  private final LongFunction<BigInteger> meaning;

  public UnsignedLongs(Numbers source, LongFunction<BigInteger> meaning) {
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
      values[i] = meaning.apply(source.next());
    }
    return count;
  }

  @Override
  public BigInteger get(int index) {
    requireIndex(index);
    return values[index];
  }

  /// The first value.
  public BigInteger getValue() {
    requireAny();
    return values[0];
  }
}
