package dev.holdfast.script.value;

import java.io.IOException;
import java.util.Arrays;

/// Texts: keywords, addresses, versions.
public final class Strings extends DocValuesOfField<String> {
  private final Texts source;
  private String[] values = new String[4];

  public Strings(Texts source) {
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
  public String get(int index) {
    requireIndex(index);
    return values[index];
  }

  /// The first value.
  public String getValue() {
    requireAny();
    return values[0];
  }
}
