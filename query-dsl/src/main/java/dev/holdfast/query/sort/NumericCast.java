package dev.holdfast.query.sort;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ValueFormat;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.util.NumericUtils;

/// What a sort casts numbers to (`numeric_type`).
enum NumericCast {
  LONG,
  DOUBLE,
  DATE,
  DATE_NANOS;

  private static final long NANOS_A_MILLI = 1_000_000;

  /// The last millisecond that nanoseconds since the epoch can count.
  private static final long MILLIS_MAX = Long.MAX_VALUE / NANOS_A_MILLI;

  static NumericCast of(String name) {
    List<String> names =
        Arrays.stream(values()).map(cast -> cast.name().toLowerCase(Locale.ROOT)).toList();
    int at = names.indexOf(name.toLowerCase(Locale.ROOT));
    if (at < 0) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[field_sort] failed to parse field [numeric_type]",
          Refusal.badArgument(
              "invalid value for [numeric_type], must be "
                  + names
                  + ", got "
                  + name.toLowerCase(Locale.ROOT)));
    }
    return values()[at];
  }

  /// @param bits of a number of kind `from`; the sortable ones of a double
  /// @return the number after the cast; the sortable bits of a double
  long apply(ValuesKind from, long bits) {
    if (from == ValuesKind.UNSIGNED_LONG) {
      long number = bits ^ Long.MIN_VALUE;
      double whole = (number >>> 1) * 2.0 + (number & 1);
      return this == DOUBLE ? NumericUtils.doubleToSortableLong(whole) : number;
    }
    return switch (this) {
      case DOUBLE ->
          from.isFloating()
              ? bits
              : NumericUtils.doubleToSortableLong((double) (isNanos(from) ? millis(bits) : bits));
      case LONG -> from.isFloating() ? (long) NumericUtils.sortableLongToDouble(bits) : bits;
      case DATE ->
          isNanos(from)
              ? millis(bits)
              : from.isFloating() ? (long) NumericUtils.sortableLongToDouble(bits) : bits;
      case DATE_NANOS -> isNanos(from) ? bits : nanos(bits);
    };
  }

  /// Back from [#apply], as far as that is possible: what the field's own format shows.
  long original(ValuesKind from, long bits) {
    return switch (this) {
      case DATE -> isNanos(from) ? bits * NANOS_A_MILLI : bits;
      case DATE_NANOS -> isNanos(from) ? bits : millis(bits);
      case LONG, DOUBLE -> bits;
    };
  }

  /// What stands for no value, which is given as the cast would have it.
  long missing(JsonNode value) {
    return this == DOUBLE
        ? NumericUtils.doubleToSortableLong(MissingNumber.fractionOf(value))
        : MissingNumber.of(value);
  }

  /// A value of the request as [#apply] would give it.
  long read(JsonNode value, ValuesKind from, ValueFormat format, long nowMillis) {
    if (this == DOUBLE) {
      return NumericUtils.doubleToSortableLong(value.asDouble());
    }
    return value.isTextual() && from.isDate()
        ? apply(from, format.toDocValue(value, false, nowMillis))
        : value.asLong();
  }

  private static boolean isNanos(ValuesKind kind) {
    return kind == ValuesKind.DATE_NANOS;
  }

  private static long millis(long nanos) {
    return Math.floorDiv(nanos, NANOS_A_MILLI);
  }

  private static long nanos(long millis) {
    if (millis < 0 || millis > MILLIS_MAX) {
      throw Refusal.badArgument(
          "date["
              + millis
              + "] in milliseconds cannot be stored in nanosecond resolution, which ends in 2262"
              + " and begins in 1970");
    }
    return millis * NANOS_A_MILLI;
  }
}
