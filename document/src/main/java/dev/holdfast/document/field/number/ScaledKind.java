package dev.holdfast.document.field.number;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.Refusal;
import java.util.OptionalLong;

/// Decimal numbers kept as longs: value times a fixed factor, rounded.
public record ScaledKind(double factor) implements NumberKind {
  /// Reads `scaling_factor`.
  public static ScaledKind of(FieldParameters parameters) {
    double factor = parameters.number("scaling_factor", FieldParameters.Change.FIXED);
    if (Double.isNaN(factor)) {
      throw FieldParameters.mapperParsing("Field [scaling_factor] is required");
    }
    if (factor <= 0 || Double.isInfinite(factor)) {
      throw FieldParameters.mapperParsing(
          "[scaling_factor] must be a positive number, got [" + factor + "]");
    }
    return new ScaledKind(factor);
  }

  @Override
  public ValuesKind valuesKind() {
    return ValuesKind.SCALED_FLOAT;
  }

  @Override
  public int pointBytes() {
    return Long.BYTES;
  }

  @Override
  public long read(JsonValue value, boolean coerces) {
    double number = NumberKinds.floating(value, coerces);
    if (!Double.isFinite(number)) {
      throw Refusal.badArgument(
          "[scaled_float] only supports finite values, but got [" + number + "]");
    }
    return Math.round(number * factor);
  }

  @Override
  public OptionalLong exact(JsonNode value) {
    return OptionalLong.of(Math.round(QueryNumbers.floating(value, "scaled_float") * factor));
  }

  @Override
  public OptionalLong lower(JsonNode value, boolean isInclusive) {
    double from = QueryNumbers.floating(value, "scaled_float") * factor;
    return OptionalLong.of((long) Math.ceil(isInclusive ? from : Math.nextUp(from)));
  }

  @Override
  public OptionalLong upper(JsonNode value, boolean isInclusive) {
    double to = QueryNumbers.floating(value, "scaled_float") * factor;
    return OptionalLong.of((long) Math.floor(isInclusive ? to : Math.nextDown(to)));
  }

  @Override
  public double toDouble(long docValue) {
    return docValue / factor;
  }

  @Override
  public Object toKey(long docValue) {
    return toDouble(docValue);
  }
}
