package dev.holdfast.query.aggregation.bucket.histogram;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Refusal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Lengths of time as requests write them: `30s`, `1.5h`, `+6h`.
public final class DurationText {
  private static final Pattern TIME =
      Pattern.compile("(-?\\d+(?:\\.\\d+)?) ?(ms|s|m|h|d|micros|nanos)", Pattern.CASE_INSENSITIVE);
  private static final long MICROS = 1_000;
  private static final long NANOS = 1_000_000;

  private DurationText() {}

  /// @param setting what the text is the value of, for messages
  public static long millis(String text, String setting) {
    Matcher matcher = TIME.matcher(text.strip());
    if (!matcher.matches()) {
      throw Refusal.badArgument(
          "failed to parse setting ["
              + setting
              + "] with value ["
              + text
              + "] as a time value: unit is missing or unrecognized");
    }
    double amount = Double.parseDouble(matcher.group(1));
    String unit = matcher.group(2);
    if (unit.equals("M")) {
      throw Refusal.badArgument(
          "failed to parse setting ["
              + setting
              + "] with value ["
              + text
              + "] as a time value: unit is missing or unrecognized");
    }
    double millis =
        switch (unit.toLowerCase(Locale.ROOT)) {
          case "ms" -> amount;
          case "s" -> amount * 1_000;
          case "m" -> amount * 60_000;
          case "h" -> amount * 3_600_000;
          case "d" -> amount * 86_400_000;
          case "micros" -> amount / MICROS;
          default -> amount / NANOS;
        };
    return (long) millis;
  }

  /// An `offset`: a length of time with a sign, or milliseconds; 0 when absent.
  static long offsetMillis(@Nullable JsonNode offset, String setting) {
    if (offset == null || offset.isNull()) {
      return 0;
    }
    if (offset.isNumber()) {
      if (!offset.canConvertToLong()) {
        throw Refusal.badArgument(
            "["
                + setting
                + "] must be milliseconds or a time value, got ["
                + offset.asText()
                + "]");
      }
      return offset.longValue();
    }
    String text = offset.asText();
    if (text.startsWith("-")) {
      return -millis(text.substring(1), setting);
    }
    return millis(text.startsWith("+") ? text.substring(1) : text, setting);
  }
}
