package dev.holdfast.document.field.number;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.world.Refusal;
import java.math.BigDecimal;

/// Numbers in queries: JSON numbers, or strings of them.
final class QueryNumbers {
  private QueryNumbers() {}

  static BigDecimal decimal(JsonNode value) {
    if (value.isNumber()) {
      double rounded = value.doubleValue();
      return Double.isInfinite(rounded)
          ? DecimalNumbers.infinite(rounded < 0)
          : value.decimalValue();
    }
    try {
      return DecimalNumbers.of(value.asText());
    } catch (NumberFormatException e) {
      throw QueryFaults.noQuery(QueryFaults.notANumber(value.asText()));
    }
  }

  /// A finite double.
  static double floating(JsonNode value, String type) {
    double number;
    try {
      number = value.isNumber() ? value.doubleValue() : Double.parseDouble(value.asText());
    } catch (NumberFormatException e) {
      throw QueryFaults.noQuery(QueryFaults.notANumber(value.asText()));
    }
    if (Double.isNaN(number)) {
      throw QueryFaults.noQuery(
          Refusal.badArgument(
              "[" + type + "] supports only finite values, but got [" + number + "]"));
    }
    return number;
  }
}
