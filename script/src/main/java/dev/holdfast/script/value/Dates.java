package dev.holdfast.script.value;

import java.io.IOException;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.function.LongFunction;

/// Instants, in UTC.
public final class Dates extends DocValuesOfField<ZonedDateTime> {
  private final Numbers source;
  private ZonedDateTime[] values = new ZonedDateTime[4];
  private final LongFunction<ZonedDateTime> meaning;

  public Dates(Numbers source, LongFunction<ZonedDateTime> meaning) {
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
  public ZonedDateTime get(int index) {
    requireIndex(index);
    return values[index];
  }

  /// The first value.
  public ZonedDateTime getValue() {
    requireAny();
    return values[0];
  }
}
