package dev.holdfast.script;

import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.Locale;

/// Dates, times and places of the JDK as Elasticsearch writes them in JSON:
/// `2020-01-02T03:04:05.678Z`, with as many digits more as there are.
public final class TimeText {
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 3, 9, true)
          .toFormatter(Locale.ROOT);
  private static final DateTimeFormatter OFFSET_TIME =
      new DateTimeFormatterBuilder().append(TIME).appendPattern("XXX").toFormatter(Locale.ROOT);
  private static final DateTimeFormatter DATE =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd'T'")
          .append(OFFSET_TIME)
          .toFormatter(Locale.ROOT);

  private TimeText() {}

  public static String of(ZonedDateTime date) {
    return DATE.format(date);
  }

  /// @throws Refusal 400 for what has no form in JSON
  static String of(Object value) {
    return switch (value) {
      case ZonedDateTime date -> of(date);
      case OffsetDateTime date -> DATE.format(date);
      case LocalDateTime date -> DATE.format(date.atOffset(ZoneOffset.UTC));
      case Instant date -> DATE.format(date.atOffset(ZoneOffset.UTC));
      case Date date -> DATE.format(date.toInstant().atOffset(ZoneOffset.UTC));
      case GregorianCalendar date -> DATE.format(date.toZonedDateTime());
      case LocalTime time -> TIME.format(time);
      case OffsetTime time -> OFFSET_TIME.format(time);
      case LocalDate _, Year _, MonthDay _, Duration _, Period _, Locale _ -> value.toString();
      default ->
          throw Refusal.badArgument(
              "cannot write xcontent for unknown value of type class "
                  + value.getClass().getName());
    };
  }
}
