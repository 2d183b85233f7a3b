package dev.holdfast.http;

import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.Locale;

/// Durations as Elasticsearch writes them: a whole number with `d h m s ms micros nanos`; `0` and
/// `-1` need no unit.
public final class TimeValue {
  private static final String[] UNITS = {"nanos", "micros", "ms", "d", "h", "m", "s"};
  private static final long[] NANOS = {
    1, 1_000, 1_000_000, 86_400_000_000_000L, 3_600_000_000_000L, 60_000_000_000L, 1_000_000_000L
  };

  private TimeValue() {}

  /// @param name the setting's name, for the message
  /// @throws Refusal `illegal_argument_exception`; -1 ("none") gives minus one millisecond
  public static Duration parse(String name, String text) {
    String lower = text.trim().toLowerCase(Locale.ROOT);
    if (lower.equals("-1")) {
      return Duration.ofMillis(-1);
    }
    if (lower.equals("0")) {
      return Duration.ZERO;
    }
    for (int i = 0; i < UNITS.length; i++) {
      if (lower.endsWith(UNITS[i])) {
        try {
          String number = lower.substring(0, lower.length() - UNITS[i].length()).trim();
          return duration(name, text, Long.parseLong(number), NANOS[i]);
        } catch (NumberFormatException | ArithmeticException e) {
          throw Refusal.badArgument(
              "failed to parse setting [" + name + "] with value [" + text + "] as a time value");
        }
      }
    }
    throw Refusal.badArgument(
        "failed to parse setting ["
            + name
            + "] with value ["
            + text
            + "] as a time value: unit is missing or unrecognized");
  }

  private static Duration duration(String name, String text, long number, long nanos) {
    if (number < -1) {
      throw Refusal.badArgument(
          "failed to parse setting ["
              + name
              + "] with value ["
              + text
              + "] as a time value: negative durations are not supported");
    }
    return Duration.ofNanos(Math.multiplyExact(number, nanos));
  }

  /// As Elasticsearch writes durations back: a whole number of the largest unit that needs no
  /// fraction.
  public static String exact(Duration duration) {
    long millis = duration.toMillis();
    if (millis == 0 || millis % 1_000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1_000;
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3_600 == 0) {
      return seconds / 3_600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }

  /// As people read durations: the largest unit, one decimal: `1.5h`, `300ms`.
  public static String text(long millis) {
    if (millis == 0) {
      return "0s";
    }
    double value = millis;
    String unit = "ms";
    if (Math.abs(millis) >= 86_400_000) {
      value = millis / 86_400_000.0;
      unit = "d";
    } else if (Math.abs(millis) >= 3_600_000) {
      value = millis / 3_600_000.0;
      unit = "h";
    } else if (Math.abs(millis) >= 60_000) {
      value = millis / 60_000.0;
      unit = "m";
    } else if (Math.abs(millis) >= 1_000) {
      value = millis / 1_000.0;
      unit = "s";
    }
    String number = String.format(Locale.ROOT, "%.1f", Math.floor(value * 10) / 10);
    return (number.endsWith(".0") ? number.substring(0, number.length() - 2) : number) + unit;
  }
}
