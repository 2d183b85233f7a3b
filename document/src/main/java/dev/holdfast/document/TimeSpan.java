package dev.holdfast.document;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// Spans of time as requests write them: `500ms`, `1.5s`, `-1`.
public final class TimeSpan {
  private TimeSpan() {}

  /// @param name of the option, for messages
  /// @return milliseconds; -1 for none
  public static long millis(String name, @Nullable String text) {
    if (text == null || text.equals("-1")) {
      return -1;
    }
    if (text.equals("0")) {
      return 0;
    }
    int end = text.length();
    while (end > 0 && Character.isLetter(text.charAt(end - 1))) {
      end--;
    }
    double unit =
        switch (text.substring(end)) {
          case "nanos" -> 1e-6;
          case "micros" -> 1e-3;
          case "ms" -> 1;
          case "s" -> 1000;
          case "m" -> 60_000;
          case "h" -> 3_600_000;
          case "d" -> 86_400_000;
          default -> throw malformed(name, text, null);
        };
    try {
      return (long) Math.ceil(Double.parseDouble(text.substring(0, end).trim()) * unit);
    } catch (NumberFormatException e) {
      throw malformed(name, text, e);
    }
  }

  private static Refusal malformed(String name, String text, @Nullable Throwable cause) {
    return new Refusal(
        ErrorType.ILLEGAL_ARGUMENT,
        "failed to parse setting ["
            + name
            + "] with value ["
            + text
            + "] as a time value: unit is missing or unrecognized",
        cause);
  }
}
