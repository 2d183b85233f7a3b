package dev.holdfast.document.field.date;

import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.date.DateFormat;
import dev.holdfast.document.date.Saturated;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/// What the doc value of a date counts: milliseconds or nanoseconds since the epoch.
public enum DateUnit {
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
    return this == MILLIS
        ? format.parseMillis(utf8, offset, length)
        : format.parseNanos(utf8, offset, length);
  }

  /// @param roundUp to the last instant of this unit
  long parse(
      DateFormat format, String text, @Nullable ZoneId zone, boolean roundUp, long nowMillis) {
    long millis = format.parseMillis(text, zone, roundUp, nowMillis);
    if (this == MILLIS) {
      return millis;
    }
    long digits = nanoDigits(text);
    if (digits >= 0) {
      return Saturated.plus(ofMillis(millis), digits);
    }
    boolean isLastMilli = roundUp && Math.floorMod(millis, 1000) == 999;
    return Saturated.plus(ofMillis(millis), isLastMilli ? perMilli - 1 : 0);
  }

  /// Milliseconds since the epoch in this unit; times that it cannot count are its first or last.
  public long ofMillis(long millis) {
    return Saturated.times(millis, perMilli);
  }

  /// The fourth to ninth digit after the seconds' point, as nanoseconds: what milliseconds leave
  /// out; -1 when the text has no point.
  private static long nanoDigits(String text) {
    int at = text.indexOf('.');
    if (at < 0) {
      return -1;
    }
    long nanos = 0;
    int place = 0;
    for (at++; at < text.length() && Character.isDigit(text.charAt(at)) && place < 9; at++) {
      if (place++ >= 3) {
        nanos = nanos * 10 + text.charAt(at) - '0';
      }
    }
    for (place = Math.max(place, 3); place < 9; place++) {
      nanos *= 10;
    }
    return nanos;
  }
}
