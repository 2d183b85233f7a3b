package dev.holdfast.document.ingest.processor.parse;

import dev.holdfast.document.date.DateFormat;
import dev.holdfast.world.Refusal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
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
      case "ISO8601" -> new Named(DateFormat.of("strict_date_optional_time"));
      default -> {
        if (!locale.getLanguage().equals("en") || !locale.getCountry().isEmpty()) {
          yield new Localized(format, locale);
        }
        String pattern = format.startsWith("8") ? format.substring(1) : format;
        yield DateFormat.lacksYear(pattern)
            ? new Yearless(DateFormat.of("uuuu " + pattern))
            : new Named(DateFormat.of(pattern));
      }
    };
  }

  private static Refusal unread(String text) {
    return Refusal.badArgument("failed to parse date [" + text + "]");
  }

  /// Seconds since 1970, with a fraction or without.
  record Seconds() implements DateNotation {
    @Override
    public Instant read(String text, ZoneId zone, long nowMillis) {
      try {
        return Instant.ofEpochMilli((long) (Double.parseDouble(text) * 1000.0));
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
      } catch (NumberFormatException | IndexOutOfBoundsException e) {
        throw unread(text);
      }
    }
  }

  /// As fields of type `date` read them.
  record Named(DateFormat format) implements DateNotation {
    @Override
    public Instant read(String text, ZoneId zone, long nowMillis) {
      if (text.startsWith("now") || text.contains("||")) {
        throw unread(text);
      }
      return Instant.ofEpochMilli(format.parseMillis(text, zone, false, nowMillis));
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

  /// A pattern with the names of another language.
  record Localized(String pattern, Locale locale) implements DateNotation {
    @Override
    public Instant read(String text, ZoneId zone, long nowMillis) {
      try {
        TemporalAccessor read = DateTimeFormatter.ofPattern(pattern, locale).parse(text);
        ZoneId own = read.query(TemporalQueries.zone());
        LocalDate date = read.query(TemporalQueries.localDate());
        LocalTime time = read.query(TemporalQueries.localTime());
        LocalDate today = Instant.ofEpochMilli(nowMillis).atZone(ZoneOffset.UTC).toLocalDate();
        if (date == null) {
          date =
              LocalDate.of(
                  part(read, ChronoField.YEAR, today.getYear()),
                  part(read, ChronoField.MONTH_OF_YEAR, 1),
                  part(read, ChronoField.DAY_OF_MONTH, 1));
        }
        return date.atTime(time == null ? LocalTime.MIDNIGHT : time)
            .atZone(own == null ? zone : own)
            .toInstant();
      } catch (DateTimeException | IllegalArgumentException e) {
        throw unread(text);
      }
    }

    private static int part(TemporalAccessor read, ChronoField field, int whenAbsent) {
      return read.isSupported(field) ? read.get(field) : whenAbsent;
    }
  }
}
