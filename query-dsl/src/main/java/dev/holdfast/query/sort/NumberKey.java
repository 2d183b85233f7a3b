package dev.holdfast.query.sort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import java.math.BigInteger;
import org.apache.lucene.search.SortField;
import org.jspecify.annotations.Nullable;

/// A sort by numbers, over the bits of their doc values.
///
/// @param format null for an unmapped field
/// @param showsText whether the request asked for a format
/// @param isInt whether Lucene compares 32 bits
/// @param shownAsInt whether no value is shown as the greatest or least of 32 bits
/// @param missing what stands for no value in Lucene; null when the request gave a value for it
public record NumberKey(
    SortField lucene,
    ValuesKind kind,
    @Nullable ValueFormat format,
    boolean showsText,
    boolean isInt,
    boolean shownAsInt,
    @Nullable Long missing)
    implements SortKey {
  private static final BigInteger UNSIGNED_MAX = new BigInteger("18446744073709551615");

  @Override
  public @Nullable Object mergeable(@Nullable Object value) {
    if (!(value instanceof Number number)) {
      return null;
    }
    long bits = number.longValue();
    if (missing != null && bits == missing) {
      return extreme(bits > 0);
    }
    return format != null && kind.isFloating() ? (Object) format.toDouble(bits) : (Object) bits;
  }

  /// No value, shown as the greatest or the least number there is.
  private Object extreme(boolean isGreatest) {
    if (kind.isFloating()) {
      return isGreatest ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }
    if (shownAsInt) {
      return isGreatest ? (long) Integer.MAX_VALUE : (long) Integer.MIN_VALUE;
    }
    return isGreatest ? Long.MAX_VALUE : Long.MIN_VALUE;
  }

  /// A number that stands for no value, as Lucene has it.
  private long unextreme(long bits) {
    boolean isExtreme = bits == Integer.MAX_VALUE || bits == Integer.MIN_VALUE;
    return shownAsInt && isExtreme && missing != null ? missing : bits;
  }

  @Override
  public @Nullable Object resumed(@Nullable Object mergeable) {
    long bits =
        switch (mergeable) {
          case Double number when number.isInfinite() ->
              number > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
          case Double number when format != null ->
              format.toDocValue(JsonNodeFactory.instance.numberNode(number), false, 0);
          case Number number -> unextreme(number.longValue());
          case null, default -> missing == null ? 0 : missing;
        };
    return isInt ? (Object) Math.clamp(bits, Integer.MIN_VALUE, Integer.MAX_VALUE) : (Object) bits;
  }

  @Override
  public String numberType() {
    return isInt ? "INT" : kind.isFloating() ? "DOUBLE" : "LONG";
  }

  @Override
  public @Nullable Object after(JsonNode shown, long nowMillis) {
    long bits = unextreme(bits(shown, nowMillis));
    return isInt ? (Object) Math.clamp(bits, Integer.MIN_VALUE, Integer.MAX_VALUE) : (Object) bits;
  }

  private long bits(JsonNode shown, long nowMillis) {
    if (shown.isNull()) {
      return missing == null ? 0 : missing;
    }
    String text = shown.asText();
    if (text.equals("Infinity")) {
      return Long.MAX_VALUE;
    }
    if (text.equals("-Infinity")) {
      return Long.MIN_VALUE;
    }
    boolean isExtreme =
        shown.isIntegralNumber()
            && (shown.longValue() == Long.MAX_VALUE || shown.longValue() == Long.MIN_VALUE);
    boolean isPlain =
        kind == ValuesKind.DATE_MILLIS
            || kind == ValuesKind.DATE_NANOS
            || kind == ValuesKind.BOOLEAN;
    if (format == null || isExtreme || (isPlain && shown.isIntegralNumber())) {
      return shown.asLong();
    }
    if (kind == ValuesKind.LONG && shown.isNumber()) {
      return shown.asLong(); // what follows the point is cut off
    }
    if (kind == ValuesKind.LONG && shownAsInt && shown.isTextual()) {
      return Integer.parseInt(text);
    }
    return format.toDocValue(shown, false, nowMillis);
  }

  private static boolean isEnd(long bits) {
    return bits == Long.MAX_VALUE || bits == Long.MIN_VALUE;
  }

  @Override
  public @Nullable Object shown(@Nullable Object mergeable) {
    return switch (mergeable) {
      case Double number when showsText && format != null && !number.isInfinite() ->
          format.toText(number);
      case Double number when kind == ValuesKind.FLOAT || kind == ValuesKind.HALF_FLOAT ->
          (Object) number.floatValue();
      case Long bits when showsText && isEnd(bits) && kind.isDate() -> null;
      case Long bits when kind == ValuesKind.UNSIGNED_LONG && isEnd(bits) ->
          bits < 0 ? (Object) 0L : UNSIGNED_MAX;
      case Long bits when format == null || isEnd(bits) ->
          // Nanoseconds start in 1970.
          kind == ValuesKind.DATE_NANOS && bits < 0 ? (Object) 0L : bits;
      case Long bits -> showsText ? format.toText(bits) : format.toKey(bits);
      case null, default -> mergeable;
    };
  }
}
