package dev.holdfast.document.field;

import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.date.DateFormat;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/// What the doc value of a date counts: milliseconds or nanoseconds since the epoch.
enum DateUnit {
  MILLIS(1, ValuesKind.DATE_MILLIS),
  NANOS(1_000_000, ValuesKind.DATE_NANOS);

  private final long perMilli;
  private final ValuesKind values;

  DateUnit(long perMilli, ValuesKind values) {
    this.perMilli = perMilli;
    this.values = values;
  }

  ValuesKind valuesKind() {
    return values;
  }

  /// Units a millisecond.
  long perMilli() {
    return perMilli;
  }

  long read(DateFormat format, byte[] utf8, int offset, int length) {
    long millis = format.parseMillis(utf8, offset, length);
    return this == MILLIS ? millis : nanos(millis, utf8, offset, length);
  }

  /// @param roundUp to the last instant of this unit
  long parse(
      DateFormat format, String text, @Nullable ZoneId zone, boolean roundUp, long nowMillis) {
    long millis = format.parseMillis(text, zone, roundUp, nowMillis);
    if (this == MILLIS) {
      return millis;
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    long value = nanos(millis, utf8, 0, utf8.length);
    boolean endsInMilli = roundUp && Math.floorMod(millis, 1000) == 999;
    return endsInMilli && fractionNanos(utf8, 0, utf8.length) == 0 && !hasFraction(utf8)
        ? value + perMilli - 1
        : value;
  }

  private static boolean hasFraction(byte[] utf8) {
    for (byte b : utf8) {
      if (b == '.') {
        return true;
      }
    }
    return false;
  }

  private long nanos(long millis, byte[] utf8, int offset, int length) {
    if (millis < 0) {
      throw Refusal.badArgument(
          "date["
              + new String(utf8, offset, length, StandardCharsets.UTF_8)
              + "] is before the epoch in 1970 and cannot be stored in nanosecond resolution");
    }
    if (millis > Long.MAX_VALUE / perMilli - 1) {
      throw Refusal.badArgument(
          "date["
              + new String(utf8, offset, length, StandardCharsets.UTF_8)
              + "] is after 2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond"
              + " resolution");
    }
    return millis * perMilli + fractionNanos(utf8, offset, length);
  }

  /// The fourth to ninth digit after the seconds' point, as nanoseconds: what milliseconds leave
  /// out.
  private static long fractionNanos(byte[] utf8, int offset, int length) {
    int end = offset + length;
    int at = offset;
    while (at < end && utf8[at] != '.' && utf8[at] != ',') {
      at++;
    }
    long nanos = 0;
    int place = 0;
    for (at++; at < end && utf8[at] >= '0' && utf8[at] <= '9' && place < 9; at++) {
      if (place >= 3) {
        nanos = nanos * 10 + utf8[at] - '0';
      }
      place++;
    }
    for (; place > 3 && place < 9; place++) {
      nanos *= 10;
    }
    return nanos;
  }
}
