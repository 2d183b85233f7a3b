package dev.holdfast.document.field.number;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.scan.JsonValue;
import java.util.OptionalLong;

/// A width of number: how its values become sortable longs (the doc value; also the point, cut to
/// its bytes) and back.
public interface NumberKind {
  ValuesKind valuesKind();

  /// Bytes of a point: 4 or 8.
  int pointBytes();

  /// The doc value of a number or string in a document.
  ///
  /// @param coerces whether strings and fractions are accepted
  /// @throws dev.holdfast.world.Refusal when it can't be one of this kind
  long read(JsonValue value, boolean coerces);

  /// The doc value equal to a query's value, or empty when no value of this kind is.
  OptionalLong exact(JsonNode value);

  /// The least doc value in a range that begins there; empty when there is none.
  OptionalLong lower(JsonNode value, boolean isInclusive);

  /// The greatest doc value in a range that ends there; empty when there is none.
  OptionalLong upper(JsonNode value, boolean isInclusive);

  double toDouble(long docValue);

  /// Long or Double.
  Object toKey(long docValue);
}
