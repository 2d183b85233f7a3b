package dev.holdfast.document.field.number;

import dev.holdfast.document.field.QueryFaults;
import dev.holdfast.document.scan.JsonValue;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// The widths of number, and what they share.
public final class NumberKinds {
  public static final NumberKind BYTE =
      WholeKind.signed("a byte", "Integer", Byte.MIN_VALUE, Byte.MAX_VALUE, Integer.BYTES);
  public static final NumberKind SHORT =
      WholeKind.signed("a short", "Integer", Short.MIN_VALUE, Short.MAX_VALUE, Integer.BYTES);
  public static final NumberKind INTEGER =
      WholeKind.signed(
          "an integer", "Integer", Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.BYTES);
  public static final NumberKind LONG =
      WholeKind.signed("a long", "Long", Long.MIN_VALUE, Long.MAX_VALUE, Long.BYTES);
  public static final NumberKind UNSIGNED_LONG = WholeKind.unsigned("an unsigned long");
  public static final NumberKind DOUBLE = FloatingKind.DOUBLE;
  public static final NumberKind FLOAT = FloatingKind.FLOAT;
  public static final NumberKind HALF_FLOAT = FloatingKind.HALF_FLOAT;

  private NumberKinds() {}

  public static double floating(JsonValue value, boolean coerces) {
    return switch (value.kind()) {
      case NUMBER -> value.doubleValue();
      case STRING -> {
        if (!coerces) {
          throw Refusal.badArgument("Double value passed as String");
        }
        try {
          yield Double.parseDouble(value.text());
        } catch (NumberFormatException e) {
          throw QueryFaults.notANumber(value.text());
        }
      }
      default -> throw notNumeric(value);
    };
  }

  static Refusal notNumeric(JsonValue value) {
    return switch (value.kind()) {
      case OBJECT, ARRAY -> Refusal.badArgument("Cannot parse object as number");
      default ->
          new Refusal(
              ErrorType.X_CONTENT_PARSE,
              "Current token (VALUE_"
                  + value.kind()
                  + ") not numeric, can not use numeric value accessors");
    };
  }
}
