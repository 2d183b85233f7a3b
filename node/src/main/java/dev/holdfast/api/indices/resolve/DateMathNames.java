package dev.holdfast.api.indices.resolve;

import dev.holdfast.document.date.DateFormat;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;

/// Names of indices with dates in them: `<logs-{now/d}>`, `<logs-{now/M{yyyy.MM|+02:00}}>`.
public final class DateMathNames {
  private static final String FORMAT_DEFAULT = "uuuu.MM.dd";

  private DateMathNames() {}

  /// The name that is meant; others than `<…>` are themselves.
  ///
  /// @throws Refusal `parse_exception`
  public static String resolve(String name, long nowMillis) {
    if (!name.startsWith("<") || !name.endsWith(">") || name.length() < 3) {
      return name;
    }
    StringBuilder resolved = new StringBuilder();
    int i = 1;
    int end = name.length() - 1;
    while (i < end) {
      char c = name.charAt(i);
      if (c == '\\' && i + 1 < end) {
        resolved.append(name.charAt(i + 1));
        i += 2;
      } else if (c == '{') {
        int close = closing(name, i, end);
        resolved.append(date(name, name.substring(i + 1, close), nowMillis));
        i = close + 1;
      } else if (c == '}') {
        throw invalid(
            name,
            "invalid character at position ["
                + i
                + "]. `{` and `}` are reserved"
                + " characters and should be escaped when used as part of the index name using `\\`"
                + " (e.g. `\\{text\\}`)");
      } else {
        resolved.append(c);
        i++;
      }
    }
    if (resolved.isEmpty()) {
      throw invalid(name, "nothing captured");
    }
    return resolved.toString();
  }

  private static int closing(String name, int open, int end) {
    int depth = 0;
    for (int i = open; i < end; i++) {
      if (name.charAt(i) == '{') {
        depth++;
      } else if (name.charAt(i) == '}' && --depth == 0) {
        return i;
      }
    }
    throw invalid(name, "date math placeholder is open ended");
  }

  private static String date(String name, String expression, long nowMillis) {
    String math = expression;
    String format = FORMAT_DEFAULT;
    ZoneId zone = ZoneOffset.UTC;
    int open = expression.indexOf('{');
    if (open >= 0) {
      if (!expression.endsWith("}")) {
        throw invalid(name, "missing closing `}` for date math format");
      }
      math = expression.substring(0, open);
      String pattern = expression.substring(open + 1, expression.length() - 1);
      int bar = pattern.indexOf('|');
      try {
        if (bar >= 0) {
          zone = ZoneId.of(pattern.substring(bar + 1));
          pattern = pattern.substring(0, bar);
        }
      } catch (DateTimeException e) {
        throw invalid(name, String.valueOf(e.getMessage()));
      }
      if (pattern.isEmpty()) {
        throw invalid(name, "missing date format");
      }
      format = pattern.replace("yyyy", "uuuu").replace("YYYY", "uuuu");
    }
    try {
      ZonedDateTime date = compute(name, math, Instant.ofEpochMilli(nowMillis).atZone(zone));
      return DateTimeFormatter.ofPattern(format, Locale.ROOT).format(date);
    } catch (DateTimeException | IllegalArgumentException | ArithmeticException e) {
      throw invalid(name, String.valueOf(e.getMessage()));
    }
  }

  /// The date before `||`.
  private static ZonedDateTime anchor(String text, ZonedDateTime now) {
    long nowMillis = now.toInstant().toEpochMilli();
    long millis = DateFormat.DEFAULT.parseMillis(text, now.getZone(), false, nowMillis);
    return Instant.ofEpochMilli(millis).atZone(now.getZone());
  }

  private static ZonedDateTime compute(String name, String math, ZonedDateTime now) {
    int bars = math.indexOf("||");
    boolean isNow = math.startsWith("now");
    if (!isNow && bars < 0) {
      throw new Refusal(
          ErrorType.PARSE,
          "failed to parse date field ["
              + math
              + "] with format ["
              + "strict_date_optional_time||epoch_millis]");
    }
    ZonedDateTime date = isNow ? now : anchor(math.substring(0, bars), now);
    int i = isNow ? 3 : bars + 2;
    while (i < math.length()) {
      char sign = math.charAt(i++);
      if (sign == '/') {
        date = rounded(name, math, i, date);
        i++;
        continue;
      }
      int start = i;
      while (i < math.length() && Character.isDigit(math.charAt(i))) {
        i++;
      }
      if ((sign != '+' && sign != '-') || i >= math.length()) {
        throw invalid(name, "operator not supported for date math [" + math.substring(3) + "]");
      }
      long amount = start == i ? 1 : Long.parseLong(math.substring(start, i));
      date = date.plus(sign == '-' ? -amount : amount, unit(name, math, i));
      i++;
    }
    return date;
  }

  private static ChronoUnit unit(String name, String math, int at) {
    return switch (math.charAt(at)) {
      case 'y' -> ChronoUnit.YEARS;
      case 'M' -> ChronoUnit.MONTHS;
      case 'w' -> ChronoUnit.WEEKS;
      case 'd' -> ChronoUnit.DAYS;
      case 'h', 'H' -> ChronoUnit.HOURS;
      case 'm' -> ChronoUnit.MINUTES;
      case 's' -> ChronoUnit.SECONDS;
      default -> throw invalid(name, "unit [" + math.charAt(at) + "] not supported for date math");
    };
  }

  private static ZonedDateTime rounded(String name, String math, int at, ZonedDateTime date) {
    if (at >= math.length()) {
      throw invalid(name, "rounding `/` without a unit");
    }
    return switch (unit(name, math, at)) {
      case YEARS -> date.truncatedTo(ChronoUnit.DAYS).with(TemporalAdjusters.firstDayOfYear());
      case MONTHS -> date.truncatedTo(ChronoUnit.DAYS).with(TemporalAdjusters.firstDayOfMonth());
      case WEEKS ->
          date.truncatedTo(ChronoUnit.DAYS)
              .with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case DAYS -> date.truncatedTo(ChronoUnit.DAYS);
      case HOURS -> date.truncatedTo(ChronoUnit.HOURS);
      case MINUTES -> date.truncatedTo(ChronoUnit.MINUTES);
      default -> date.truncatedTo(ChronoUnit.SECONDS);
    };
  }

  private static Refusal invalid(String name, String why) {
    return new Refusal(ErrorType.PARSE, "invalid dynamic name expression [" + name + "]. " + why);
  }
}
