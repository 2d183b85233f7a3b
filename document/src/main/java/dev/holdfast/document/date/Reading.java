package dev.holdfast.document.date;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/// How a text is to be read: in which unit, in which zone when it names none (null for UTC), and
/// whether missing parts of its time mean their last instant.
record Reading(long unitsPerSecond, @Nullable ZoneId zone, boolean isRoundUp) {
  static final Reading MILLIS = new Reading(1000, null, false);
  static final Reading NANOS = new Reading(1_000_000_000, null, false);
  static final int NANOS_MAX = 999_999_999;

  /// The instant of a text without a zone, whose local time is so many seconds from 1970.
  long local(long seconds, int nanos) {
    if (zone == null) {
      return instant(seconds, nanos);
    }
    LocalDateTime local = LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC);
    return instant(local.atZone(zone).toEpochSecond(), nanos);
  }

  /// The instant in this reading's unit.
  long instant(long seconds, int nanos) {
    if (unitsPerSecond == 1000) {
      return seconds * 1000 + nanos / 1_000_000;
    }
    if (hasNanos(seconds, nanos)) {
      return seconds * 1_000_000_000 + nanos;
    }
    if (seconds < 0) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "date["
              + java.time.Instant.ofEpochSecond(seconds, nanos)
              + "] is before the epoch in 1970 and cannot be stored in nanosecond resolution");
    }
    throw new Refusal(
        ErrorType.ILLEGAL_ARGUMENT,
        "date["
            + java.time.Instant.ofEpochSecond(seconds, nanos)
            + "] is after 2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond"
            + " resolution");
  }

  /// Whether nanoseconds since 1970 reach there: the last is as many as a long holds.
  static boolean hasNanos(long seconds, int nanos) {
    long last = Long.MAX_VALUE / 1_000_000_000;
    return seconds >= 0
        && (seconds < last || (seconds == last && nanos <= Long.MAX_VALUE % 1_000_000_000));
  }
}
