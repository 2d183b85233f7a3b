package dev.holdfast.script.value;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A field of the document that a script is at, `field('name')`: what is missing has a default.
public final class Field implements Iterable<Object> {
  private final String name;
  private final List<?> values;

  Field(String name, @Nullable DocValuesOfField<?> values) {
    this.name = name;
    this.values = values == null ? List.of() : values;
  }

  public String getName() {
    return name;
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  public int size() {
    return values.size();
  }

  /// The first value.
  public @Nullable Object get(@Nullable Object otherwise) {
    return values.isEmpty() ? otherwise : values.get(0);
  }

  public @Nullable Object get(int index, @Nullable Object otherwise) {
    return index < 0 || index >= values.size() ? otherwise : values.get(index);
  }

  public boolean hasValue(int index) {
    return index >= 0 && index < values.size();
  }

  @Override
  @SuppressWarnings("unchecked") // only read
  public Iterator<Object> iterator() {
    return (Iterator<Object>) values.iterator();
  }
}
