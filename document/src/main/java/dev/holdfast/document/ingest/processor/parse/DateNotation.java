package dev.holdfast.document.ingest.processor.parse;

import dev.holdfast.document.date.DateFormat;
import dev.holdfast.world.Refusal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// A form of dates that the `date` processor reads: `UNIX`, `UNIX_MS`, `TAI64N`, `ISO8601`, a named
/// format or a pattern.
sealed interface DateNotation {
  /// @param zone of dates that name none
  /// @throws Refusal when the text is not of that form
  Instant read(String text, ZoneId zone, long nowMillis);

  static DateNotation of(String format, Locale locale) {
    return switch (format) {
      case "UNIX" -> new Seconds();
      case "UNIX_MS" -> new Millis();
      case "TAI64N" -> new Tai();
      case "ISO8601" -> new Named(DateFormat.of("iso8601"));
      default -> pattern(format.startsWith("8") ? format.substring(1) : format, locale);
    };
  }

  /// A named format or a pattern, or several between bars.
  private static DateNotation pattern(String format, Locale locale) {
    List<DateNotation> alternatives =
        Arrays.stream(format.split("\\|\\|", -1))
            .<DateNotation>map(one ->
                DateFormat.lacksYear(one)
                    ? new Yearless(DateFormat.of("uuuu " + one, locale))
                    : new Named(DateFormat.of(one, locale)))
            .toList();
    return alternatives.size() == 1 ? alternatives.getFirst() : new AnyOf(alternatives);
  }

  private static Refusal unread(String text) {
    return Refusal.badArgument("failed to parse date [" + text + "]");
  }

  /// Seconds since 1970, with a fraction or without.
  record Seconds() implements DateNotation {
    @Override
    public Instant read(String text, ZoneId zone, long nowMillis) {
      try {
        double millis = Double.parseDouble(text) * 1000.0;
        if (!Double.isFinite(millis)) {
          throw unread(text); // as a whole number it would be a date
        }
        return Instant.ofEpochMilli((long) millis);
      } catch (NumberFormatException e) {
        throw unread(text);
      }
    }
  }

  /// Milliseconds since 1970.
  record Millis() implements DateNotation {
    @Override
    public Instant read(String text, ZoneId zone, long nowMillis) {
      try {
        return Instant.ofEpochMilli(Long.parseLong(text));
      } catch (NumberFormatException e) {
        throw unread(text);
      }
    }
  }

  /// Atomic time as daemontools writes it: seconds and nanoseconds in hexadecimal, ten seconds
  /// ahead of UTC as it was in 1970.
  record Tai() implements DateNotation {
    private static final int SECONDS_AHEAD = 10;

    @Override
    public Instant read(String text, ZoneId zone, long nowMillis) {
      String hex = text.startsWith("@") ? text.substring(1) : text;
      try {
        long seconds = Long.parseLong(hex.substring(1, 16), 16) - SECONDS_AHEAD;
        return Instant.ofEpochSecond(seconds, Long.parseLong(hex.substring(16, 24), 16));
      } catch (NumberFormatException | IndexOutOfBoundsException | DateTimeException e) {
        throw unread(text);
      }
    }
  }

  /// As fields of type `date` read them.
  record Named(DateFormat format) implements DateNotation {
    @Override
    public Instant read(String text, ZoneId zone, long nowMillis) {
      return format.parseInstant(text, zone);
    }
  }

  /// The same of this year: the text names none, as syslog's.
  ///
  /// @param format of the year and the text
  record Yearless(DateFormat format) implements DateNotation {
    @Override
    public Instant read(String text, ZoneId zone, long nowMillis) {
      int year = Instant.ofEpochMilli(nowMillis).atZone(ZoneOffset.UTC).getYear();
      try {
        return new Named(format).read(year + " " + text, zone, nowMillis);
      } catch (Refusal e) {
        throw unread(text);
      }
    }
  }

  /// One form or another, tried in order.
  record AnyOf(List<DateNotation> alternatives) implements DateNotation {
    @Override
    public Instant read(String text, ZoneId zone, long nowMillis) {
      Refusal unread = unread(text);
      for (DateNotation alternative : alternatives) {
        try {
          return alternative.read(text, zone, nowMillis);
        } catch (Refusal e) {
          unread.addSuppressed(e);
        }
      }
      throw unread;
    }
  }
}
