package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.world.Promise;

/// Values of ordinal kinds: terms, and no numbers.
public interface TermFormat extends ValueFormat {
  @Override
  default double toDouble(long docValue) {
    throw noNumbers();
  }

  @Override
  default Object toKey(long docValue) {
    throw noNumbers();
  }

  @Override
  default String toText(long docValue) {
    throw noNumbers();
  }

  @Override
  default String toText(double number) {
    return Double.toString(number);
  }

  @Override
  default long toDocValue(JsonNode value, boolean roundUp, long nowMillis) {
    throw noNumbers();
  }

  @Override
  default boolean showsText() {
    return false;
  }

  private static IllegalStateException noNumbers() {
    Promise.keep(false, "ordinal kinds have no numbers");
    return new IllegalStateException();
  }
}
