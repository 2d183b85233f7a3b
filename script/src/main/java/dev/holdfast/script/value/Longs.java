package dev.holdfast.script.value;

import java.io.IOException;
import java.util.Arrays;

/// Whole numbers.
public final class Longs extends DocValuesOfField<Long> {
  private final Numbers source;
  private long first;

  /// All of a document that has several.
  private long[] values = {};

  public Longs(Numbers source) {
    this.source = source;
  }

  @Override
  protected int read(int document) throws IOException {
    int count = source.count(document);
    if (count == 1) {
      first = source.next();
      return count;
    }
    if (count > values.length) {
      values = Arrays.copyOf(values, Math.max(count, 2 * values.length));
    }
    for (int i = 0; i < count; i++) {
      values[i] = source.next();
    }
    first = count == 0 ? 0 : values[0];
    return count;
  }

  @Override
  public Long get(int index) {
    requireIndex(index);
    return index == 0 ? first : values[index];
  }

  /// The first value.
  public long getValue() {
    requireAny();
    return first;
  }
}
