package dev.holdfast.script.value;

import java.io.IOException;
import java.util.Arrays;

/// Whole numbers.
public final class Longs extends DocValuesOfField<Long> {
  private final Numbers source;
  private long[] values = new long[4];

  public Longs(Numbers source) {
    this.source = source;
  }

  @Override
  protected int read(int document) throws IOException {
    int count = source.count(document);
    if (count > values.length) {
      values = Arrays.copyOf(values, Math.max(count, 2 * values.length));
    }
    for (int i = 0; i < count; i++) {
      values[i] = source.next();
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
}
