package dev.holdfast.document.field.number;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.field.NumericFormat;
import dev.holdfast.world.Refusal;

/// 1 and 0, shown as `true` and `false`.
final class BooleanFormat implements NumericFormat {
  static final BooleanFormat PLAIN = new BooleanFormat();

  private BooleanFormat() {}

  @Override
  public double toDouble(long docValue) {
    return docValue;
  }

  @Override
  public Object toKey(long docValue) {
    return docValue;
  }

  @Override
  public String toText(long docValue) {
    return docValue == 0 ? "false" : "true";
  }

  @Override
  public String toText(double number) {
    return number == 0 ? "false" : "true";
  }

  @Override
  public long toDocValue(JsonNode value, boolean roundUp, long nowMillis) {
    return switch (value.asText()) {
      case "true" -> 1;
      case "false" -> 0;
      default ->
          throw Refusal.badArgument(
              "Cannot parse boolean [" + value.asText() + "], expected either [true] or [false]");
    };
  }

  @Override
  public boolean showsText() {
    return true;
  }
}
