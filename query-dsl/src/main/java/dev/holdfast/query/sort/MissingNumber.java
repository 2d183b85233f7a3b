package dev.holdfast.query.sort;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// What a sort's `missing` says of columns of whole numbers: the number as the column holds it,
/// whatever format the field's values are written in.
final class MissingNumber {
  private MissingNumber() {}

  /// @throws Refusal `number_format_exception` for a text that is no whole number
  static long of(JsonNode value) {
    if (value.isNumber()) {
      return value.longValue();
    }
    try {
      return Long.parseLong(value.asText());
    } catch (NumberFormatException e) {
      throw notANumber(value, e);
    }
  }

  /// @throws Refusal `number_format_exception` for a text that is no number
  static double fractionOf(JsonNode value) {
    if (value.isNumber()) {
      return value.doubleValue();
    }
    try {
      return Double.parseDouble(value.asText());
    } catch (NumberFormatException e) {
      throw notANumber(value, e);
    }
  }

  private static Refusal notANumber(JsonNode value, NumberFormatException cause) {
    return new Refusal(
        ErrorType.NUMBER_FORMAT, "For input string: \"" + value.asText() + "\"", cause);
  }
}
