package dev.holdfast.api.slm;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/// Moments as cron says them: `<second> <minute> <hour> <day of month> <month> <day of week>
/// [<year>]`, in UTC. `0 30 1 * * ?` is every night at half past one.
public final class CronExpression {
  private static final int FIELDS = 6;
  private static final int YEAR_MIN = 1970;
  private static final int YEAR_MAX = 2199;

  /// What does not come within so many days never comes.
  private static final int DAYS_MAX = 100 * 366;

  private final BitSet seconds;
  private final BitSet minutes;
  private final BitSet hours;
  private final BitSet months;
  private final Predicate<LocalDate> days;
  private final BitSet years;

  private CronExpression(String[] fields) {
    this.seconds = new CronField("second", 0, 59, List.of()).parse(fields[0]);
    this.minutes = new CronField("minute", 0, 59, List.of()).parse(fields[1]);
    this.hours = new CronField("hour", 0, 23, List.of()).parse(fields[2]);
    this.days = CronDays.parse(fields[3], fields[5]);
    this.months =
        new CronField(
                "month",
                1,
                12,
                List.of(
                    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV",
                    "DEC"))
            .parse(fields[4]);
    this.years =
        new CronField("year", YEAR_MIN, YEAR_MAX, List.of())
            .parse(fields.length > FIELDS ? fields[FIELDS] : "*");
  }

  /// @throws IllegalArgumentException with a reason for people
  static CronExpression parse(String text) {
    String[] fields = text.strip().toUpperCase(Locale.ROOT).split("\\s+");
    if (fields.length != FIELDS && fields.length != FIELDS + 1) {
      throw new IllegalArgumentException(
          "it has " + fields.length + " fields, and must have 6, or 7 with a year");
    }
    return new CronExpression(fields);
  }

  /// @throws IllegalArgumentException with a reason for people
  public static void check(String text) {
    var _ = parse(text);
  }

  /// The first moment after that one, both epoch milliseconds; -1 when there is none.
  long nextAfter(long millis) {
    LocalDateTime from =
        LocalDateTime.ofEpochSecond(Math.floorDiv(millis, 1000) + 1, 0, ZoneOffset.UTC);
    LocalDate day = from.toLocalDate();
    int second = from.toLocalTime().toSecondOfDay();
    for (int i = 0; i < DAYS_MAX && day.getYear() < years.length(); i++) {
      if (years.get(day.getYear()) && months.get(day.getMonthValue()) && days.test(day)) {
        int found = nextSecond(second);
        if (found >= 0) {
          Instant next = day.atStartOfDay().plusSeconds(found).toInstant(ZoneOffset.UTC);
          return next.toEpochMilli();
        }
      }
      day = day.plusDays(1);
      second = 0;
    }
    return -1;
  }

  /// Of a day, that one or later; -1 when there is none.
  private int nextSecond(int from) {
    int hour = from / 3600;
    int minute = from / 60 % 60;
    for (int h = hours.nextSetBit(hour); h >= 0; h = hours.nextSetBit(h + 1)) {
      int firstMinute = h == hour ? minute : 0;
      for (int m = minutes.nextSetBit(firstMinute); m >= 0; m = minutes.nextSetBit(m + 1)) {
        int s = seconds.nextSetBit(h == hour && m == minute ? from % 60 : 0);
        if (s >= 0) {
          return h * 3600 + m * 60 + s;
        }
      }
    }
    return -1;
  }
}
