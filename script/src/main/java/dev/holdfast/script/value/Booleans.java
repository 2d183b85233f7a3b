package dev.holdfast.script.value;

import java.io.IOException;
import java.util.Arrays;

/// Booleans.
public final class Booleans extends DocValuesOfField<Boolean> {
  private final Numbers source;
  private boolean[] values = new boolean[4];

  public Booleans(Numbers source) {
    this.source = source;
  }

  @Override
  protected int read(int document) throws IOException {
    int count = source.count(document);
    if (count > values.length) {
      values = Arrays.copyOf(values, Math.max(count, 2 * values.length));
    }
    for (int i = 0; i < count; i++) {
      values[i] = source.next() == 1;
    }
    return count;
  }

  @Override
  public Boolean get(int index) {
    requireIndex(index);
    return values[index];
  }

  /// The first value.
  public boolean getValue() {
    requireAny();
    return values[0];
  }
}
