package dev.holdfast.script.value;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongToDoubleFunction;

/// Numbers with fractions.
public final class Doubles extends DocValuesOfField<Double> {
  private final Numbers source;
  private double first;

  /// All of a document that has several.
  private double[] values = {};

  private final LongToDoubleFunction meaning;

  public Doubles(Numbers source, LongToDoubleFunction meaning) {
    this.source = source;
    this.meaning = meaning;
  }

  @Override
  protected int read(int document) throws IOException {
    int count = source.count(document);
    if (count == 1) {
      first = meaning.applyAsDouble(source.next());
      return count;
    }
    if (count > values.length) {
      values = Arrays.copyOf(values, Math.max(count, 2 * values.length));
    }
    for (int i = 0; i < count; i++) {
      values[i] = meaning.applyAsDouble(source.next());
    }
    first = count == 0 ? 0 : values[0];
    return count;
  }

  @Override
  public Double get(int index) {
    requireIndex(index);
    return index == 0 ? first : values[index];
  }

  /// The first value.
  public double getValue() {
    requireAny();
    return first;
  }
}
