package dev.holdfast.script.value;

import java.math.BigInteger;
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

  /// Of an `unsigned_long`, what [#get] has as a negative number where it is above
  /// `Long.MAX_VALUE`.
  public @Nullable BigInteger asBigInteger(@Nullable BigInteger otherwise) {
    return asBigInteger(0, otherwise);
  }

  /// @throws IllegalArgumentException for a field of another type
  public @Nullable BigInteger asBigInteger(int index, @Nullable BigInteger otherwise) {
    if (!hasValue(index)) {
      return otherwise;
    }
    if (values instanceof UnsignedLongs numbers) {
      return numbers.big(index);
    }
    throw cannot("asBigInteger");
  }

  /// Of addresses and versions, their text, which is what [#get] has, too.
  public @Nullable String asString(@Nullable String otherwise) {
    return asString(0, otherwise);
  }

  /// @throws IllegalArgumentException for a field of another type
  public @Nullable String asString(int index, @Nullable String otherwise) {
    if (!hasValue(index)) {
      return otherwise;
    }
    if (values instanceof Strings texts) {
      return texts.get(index);
    }
    throw cannot("asString");
  }

  private IllegalArgumentException cannot(String method) {
    return new IllegalArgumentException(
        "dynamic method [" + method + "] not found for the type of the field [" + name + "]");
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
