package dev.holdfast.script.value;

import java.io.IOException;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.function.LongFunction;

/// Instants, in UTC. They are made when they are asked for: most scripts take a number out of one
/// and leave it.
public final class Dates extends DocValuesOfField<ZonedDateTime> {
  private final Numbers source;
  private long first;

  /// All of a document that has several.
  private long[] values = {};

  private final LongFunction<ZonedDateTime> meaning;

  public Dates(Numbers source, LongFunction<ZonedDateTime> meaning) {
    this.source = source;
    this.meaning = meaning;
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
  public ZonedDateTime get(int index) {
    requireIndex(index);
    return meaning.apply(index == 0 ? first : values[index]);
  }

  /// The first value.
  public ZonedDateTime getValue() {
    requireAny();
    return meaning.apply(first);
  }
}
