package dev.holdfast.document.date;

import static java.time.temporal.ChronoField.*;

import java.time.chrono.IsoChronology;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.format.SignStyle;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Short notation of the built-in formats, and the java.time formatters for it: `y` year, `M`
/// month, `d` day, `D` day of year, `x` week-based year, `w` week, `e` day of week, `H` hour, `m`
/// minute, `s` second, `f` the fraction with its point, `z` the zone, `[…]` optional, all else
/// literal.
final class Notation {
  private Notation() {}

  /// @param isStrict whether numbers have all their digits
  static JavaTimeForm form(String notation, boolean isStrict) {
    List<DateTimeFormatter> parsers = new ArrayList<>();
    parsers.add(formatter(notation, isStrict, false, false));
    if (notation.indexOf('z') >= 0) {
      parsers.add(formatter(notation, isStrict, false, true));
    }
    return new JavaTimeForm(
        List.copyOf(parsers), formatter(notation.replaceAll("[\\[\\]]", ""), true, true, false));
  }

  private static DateTimeFormatter formatter(
      String notation, boolean isStrict, boolean isPrinter, boolean isZoneWithoutColon) {
    DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder();
    for (int i = 0; i < notation.length(); i++) {
      char c = notation.charAt(i);
      switch (c) {
        case 'y' -> year(builder, YEAR, isStrict, isAdjacent(notation, i));
        case 'x' -> year(builder, IsoFields.WEEK_BASED_YEAR, isStrict, isAdjacent(notation, i));
        case 'M' -> number(builder, MONTH_OF_YEAR, 2, isStrict);
        case 'd' -> number(builder, DAY_OF_MONTH, 2, isStrict);
        case 'D' -> number(builder, DAY_OF_YEAR, 3, isStrict);
        case 'w' -> number(builder, IsoFields.WEEK_OF_WEEK_BASED_YEAR, 2, isStrict);
        case 'e' -> number(builder, DAY_OF_WEEK, 1, isStrict);
        case 'H' -> number(builder, HOUR_OF_DAY, 2, isStrict);
        case 'm' -> number(builder, MINUTE_OF_HOUR, 2, isStrict);
        case 's' -> number(builder, SECOND_OF_MINUTE, 2, isStrict);
        case 'f' -> builder.appendFraction(NANO_OF_SECOND, isPrinter ? 3 : 1, 9, true);
        case 'z' -> {
          if (isPrinter) {
            builder.appendOffset("+HH:MM", "Z");
          } else if (isZoneWithoutColon) {
            builder.appendOffset("+HHmm", "Z");
          } else {
            builder.appendZoneOrOffsetId();
          }
        }
        case '[' -> builder.optionalStart();
        case ']' -> builder.optionalEnd();
        default -> builder.appendLiteral(c);
      }
    }
    return builder
        .toFormatter(Locale.ROOT)
        .withChronology(IsoChronology.INSTANCE)
        .withResolverStyle(ResolverStyle.STRICT);
  }

  /// Digits that follow digits have a fixed width.
  private static boolean isAdjacent(String notation, int at) {
    return at + 1 < notation.length() && "MDw".indexOf(notation.charAt(at + 1)) >= 0;
  }

  private static void year(
      DateTimeFormatterBuilder builder, TemporalField field, boolean isStrict, boolean isFixed) {
    if (isFixed) {
      builder.appendValue(field, 4);
    } else if (isStrict) {
      builder.appendValue(field, 4, 9, SignStyle.EXCEEDS_PAD);
    } else {
      builder.appendValue(field, 1, 5, SignStyle.NORMAL);
    }
  }

  private static void number(
      DateTimeFormatterBuilder builder, TemporalField field, int width, boolean isStrict) {
    if (isStrict) {
      builder.appendValue(field, width);
    } else {
      builder.appendValue(field, 1, width, SignStyle.NOT_NEGATIVE);
    }
  }
}
