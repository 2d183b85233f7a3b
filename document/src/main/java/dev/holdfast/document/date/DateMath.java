package dev.holdfast.document.date;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import org.jspecify.annotations.Nullable;

/// The arithmetic after a date in a request: `+1M-2d/h`, applied from left to right.
final class DateMath {
  private DateMath() {}

  /// @param roundUp whether `/` means the last millisecond of its unit
  static long apply(String math, long millis, @Nullable ZoneId zone, boolean roundUp) {
    ZonedDateTime time = Instant.ofEpochMilli(millis).atZone(zone == null ? ZoneOffset.UTC : zone);
    try {
      return applied(time, math, roundUp);
    } catch (DateTimeException | ArithmeticException e) {
      throw new Refusal(ErrorType.PARSE, "date math [" + math + "] leads to no date", e);
    }
  }

  private static long applied(ZonedDateTime from, String math, boolean roundUp) {
    ZonedDateTime time = from;
    int at = 0;
    while (at < math.length()) {
      char operator = math.charAt(at++);
      if (operator != '/' && operator != '+' && operator != '-') {
        throw refusal("operator not supported for date math [" + math + "]");
      }
      int digits = at;
      while (at < math.length() && math.charAt(at) >= '0' && math.charAt(at) <= '9') {
        at++;
      }
      int count = at == digits ? 1 : number(math, digits, at);
      if (at == math.length()) {
        throw refusal("truncated date math [" + math + "]");
      }
      char unit = math.charAt(at++);
      if (operator != '/') {
        time = time.plus(operator == '+' ? count : -count, unit(unit, math));
      } else if (count != 1) {
        throw refusal("rounding `/` can only be used on single unit types [" + math + "]");
      } else {
        ZonedDateTime floor = floor(time, unit, math);
        time = roundUp ? floor.plus(1, unit(unit, math)).minus(1, ChronoUnit.MILLIS) : floor;
      }
    }
    return time.toInstant().toEpochMilli();
  }

  private static int number(String math, int from, int to) {
    try {
      return Integer.parseInt(math, from, to, 10);
    } catch (NumberFormatException tooLarge) {
      throw new Refusal(ErrorType.PARSE, "number too large for date math [" + math + "]", tooLarge);
    }
  }

  private static ChronoUnit unit(char unit, String math) {
    return switch (unit) {
      case 'y' -> ChronoUnit.YEARS;
      case 'M' -> ChronoUnit.MONTHS;
      case 'w' -> ChronoUnit.WEEKS;
      case 'd' -> ChronoUnit.DAYS;
      case 'h', 'H' -> ChronoUnit.HOURS;
      case 'm' -> ChronoUnit.MINUTES;
      case 's' -> ChronoUnit.SECONDS;
      default -> throw refusal("unit [" + unit + "] not supported for date math [" + math + "]");
    };
  }

  private static ZonedDateTime floor(ZonedDateTime time, char unit, String math) {
    ChronoUnit rounded = unit(unit, math);
    return switch (rounded) {
      case YEARS -> time.withDayOfYear(1).truncatedTo(ChronoUnit.DAYS);
      case MONTHS -> time.withDayOfMonth(1).truncatedTo(ChronoUnit.DAYS);
      case WEEKS ->
          time.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY))
              .truncatedTo(ChronoUnit.DAYS);
      default -> time.truncatedTo(rounded);
    };
  }

  private static Refusal refusal(String reason) {
    return new Refusal(ErrorType.PARSE, reason);
  }
}
