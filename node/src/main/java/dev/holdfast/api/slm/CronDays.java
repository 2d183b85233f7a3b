package dev.holdfast.api.slm;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/// The two fields of a [CronExpression] that say which days are meant; one of them is `?`.
final class CronDays {
  private static final CronField OF_MONTH = new CronField("day of month", 1, 31, List.of());
  private static final CronField OF_WEEK =
      new CronField("day of week", 1, 7, List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"));
  private static final String NONE = "?";
  private static final int IN_WEEK = 7;

  private CronDays() {}

  /// Whether a day is meant.
  ///
  /// @param month days of the month: numbers, `L` (the last), `L-3`, `15W` (the weekday that is
  ///   nearest), `LW`
  /// @param week days of the week, from Sunday, 1: numbers, words, `L` (Saturday), `6L` (the last
  ///   Friday), `6#3` (the third)
  /// @throws IllegalArgumentException with a reason for people
  static Predicate<LocalDate> parse(String month, String week) {
    if (month.equals(NONE) == week.equals(NONE)) {
      throw new IllegalArgumentException(
          "one of day of month and day of week must be [?], and not both");
    }
    return month.equals(NONE) ? ofWeek(week) : ofMonth(month);
  }

  private static Predicate<LocalDate> ofMonth(String text) {
    if (text.equals("LW")) {
      return day -> day.equals(nearestWeekday(day.withDayOfMonth(day.lengthOfMonth())));
    }
    if (text.equals("L")) {
      return day -> day.getDayOfMonth() == day.lengthOfMonth();
    }
    if (text.startsWith("L-")) {
      int before = OF_MONTH.number(text.substring(2));
      return day -> day.getDayOfMonth() == day.lengthOfMonth() - before;
    }
    if (text.endsWith("W")) {
      int of = OF_MONTH.number(text.substring(0, text.length() - 1));
      return day -> of <= day.lengthOfMonth() && day.equals(nearestWeekday(day.withDayOfMonth(of)));
    }
    BitSet days = OF_MONTH.parse(text);
    return day -> days.get(day.getDayOfMonth());
  }

  /// Never in another month.
  private static LocalDate nearestWeekday(LocalDate day) {
    if (day.getDayOfWeek() == DayOfWeek.SATURDAY) {
      return day.getDayOfMonth() == 1 ? day.plusDays(2) : day.minusDays(1);
    }
    if (day.getDayOfWeek() == DayOfWeek.SUNDAY) {
      return day.getDayOfMonth() == day.lengthOfMonth() ? day.minusDays(2) : day.plusDays(1);
    }
    return day;
  }

  private static Predicate<LocalDate> ofWeek(String text) {
    int hash = text.indexOf('#');
    if (hash > 0) {
      int of = OF_WEEK.number(text.substring(0, hash));
      String which = text.substring(hash + 1);
      if (!which.matches("[1-5]")) {
        throw new IllegalArgumentException("[" + which + "] is no week of a month");
      }
      int week = Integer.parseInt(which);
      return day -> number(day) == of && (day.getDayOfMonth() - 1) / IN_WEEK + 1 == week;
    }
    if (text.length() > 1 && text.endsWith("L")) {
      int of = OF_WEEK.number(text.substring(0, text.length() - 1));
      return day -> number(day) == of && day.getDayOfMonth() > day.lengthOfMonth() - IN_WEEK;
    }
    BitSet days = OF_WEEK.parse(text.equals("L") ? "SAT" : text);
    return day -> days.get(number(day));
  }

  /// From Sunday, 1.
  private static int number(LocalDate day) {
    return day.getDayOfWeek().getValue() % IN_WEEK + 1;
  }
}
