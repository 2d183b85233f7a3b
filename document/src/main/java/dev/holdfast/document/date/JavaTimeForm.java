package dev.holdfast.document.date;

import static java.time.temporal.ChronoField.*;

import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.text.ParsePosition;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Dates as java.time reads them: any pattern, at a microsecond or so each.
///
/// @param parsers tried in order
record JavaTimeForm(List<DateTimeFormatter> parsers, DateTimeFormatter printer)
    implements DateForm {
  private static final List<ChronoField> HOURS =
      List.of(HOUR_OF_DAY, CLOCK_HOUR_OF_DAY, CLOCK_HOUR_OF_AMPM, HOUR_OF_AMPM, AMPM_OF_DAY);
  private static final List<ChronoField> MINUTES = List.of(MINUTE_OF_HOUR, MINUTE_OF_DAY);
  private static final List<ChronoField> SECONDS = List.of(SECOND_OF_MINUTE, SECOND_OF_DAY);
  private static final List<ChronoField> FRACTIONS =
      List.of(NANO_OF_SECOND, MICRO_OF_SECOND, MILLI_OF_SECOND, MILLI_OF_DAY, NANO_OF_DAY);

  @Override
  public long parse(byte[] utf8, int offset, int length, Reading reading) {
    String text = new String(utf8, offset, length, StandardCharsets.UTF_8);
    for (DateTimeFormatter parser : parsers) {
      ParsePosition end = new ParsePosition(0);
      TemporalAccessor parts = parser.parseUnresolved(text, end);
      if (parts != null && end.getIndex() == text.length()) {
        long instant = resolve(parser, text, parts, reading);
        if (instant != NOT_A_DATE) {
          return instant;
        }
      }
    }
    return NOT_A_DATE;
  }

  private static long resolve(
      DateTimeFormatter parser, String text, TemporalAccessor parts, Reading reading) {
    try {
      return instant(parser.parse(text), parts, reading);
    } catch (DateTimeException notADate) {
      return NOT_A_DATE; // parts that are no date together: 30 February
    }
  }

  private static long instant(TemporalAccessor parsed, TemporalAccessor parts, Reading reading) {
    LocalTime time = time(parsed.query(TemporalQueries.localTime()), parts, reading.isRoundUp());
    LocalDateTime local = date(parsed).atTime(time);
    ZoneId zone = parsed.query(TemporalQueries.zone());
    Reading zoned =
        zone == null ? reading : new Reading(reading.unitsPerSecond(), zone, reading.isRoundUp());
    return zoned.local(local.toEpochSecond(java.time.ZoneOffset.UTC), local.get(NANO_OF_SECOND));
  }

  /// The day, missing months and days being the first, a missing year 1970.
  private static LocalDate date(TemporalAccessor parsed) {
    LocalDate date = parsed.query(TemporalQueries.localDate());
    if (date != null) {
      return date;
    }
    if (parsed.isSupported(IsoFields.WEEK_BASED_YEAR)) {
      long week = part(parsed, IsoFields.WEEK_OF_WEEK_BASED_YEAR, 1);
      return LocalDate.of(1970, 1, 5)
          .with(IsoFields.WEEK_BASED_YEAR, parsed.getLong(IsoFields.WEEK_BASED_YEAR))
          .with(IsoFields.WEEK_OF_WEEK_BASED_YEAR, week)
          .with(DAY_OF_WEEK, part(parsed, DAY_OF_WEEK, 1));
    }
    int year = (int) part(parsed, YEAR, part(parsed, YEAR_OF_ERA, 1970));
    return LocalDate.of(
        year, (int) part(parsed, MONTH_OF_YEAR, 1), (int) part(parsed, DAY_OF_MONTH, 1));
  }

  private static long part(
      TemporalAccessor parsed, java.time.temporal.TemporalField field, long whenMissing) {
    return parsed.isSupported(field) ? parsed.getLong(field) : whenMissing;
  }

  private static LocalTime time(
      @Nullable LocalTime parsed, TemporalAccessor parts, boolean isRoundUp) {
    if (!isRoundUp) {
      return parsed == null ? LocalTime.MIDNIGHT : parsed;
    }
    LocalTime time = parsed == null ? LocalTime.MIDNIGHT : parsed;
    if (hasAny(parts, FRACTIONS)) {
      return time;
    }
    time = time.withNano(Reading.NANOS_MAX);
    if (hasAny(parts, SECONDS)) {
      return time;
    }
    time = time.withSecond(59);
    if (hasAny(parts, MINUTES)) {
      return time;
    }
    time = time.withMinute(59);
    return hasAny(parts, HOURS) ? time : time.withHour(23);
  }

  private static boolean hasAny(TemporalAccessor parts, List<ChronoField> fields) {
    return fields.stream().anyMatch(parts::isSupported);
  }

  @Override
  public String format(ZonedDateTime time) {
    try {
      return printer.format(time);
    } catch (DateTimeException e) {
      throw Refusal.badArgument(
          "a date cannot be written in the format [" + printer + "]: " + e.getMessage());
    }
  }
}
