package dev.holdfast.document.date;

/// Arithmetic of the proleptic Gregorian calendar on plain numbers: years, months and days to days
/// since 1970-01-01 and back.
final class Civil {
  private static final int YEARS_OF_ERA = 400;
  private static final int DAYS_OF_ERA = 146_097;
  private static final int DAYS_TO_EPOCH = 719_468;

  private Civil() {}

  /// Days since 1970-01-01. Years are counted from March, so that the leap day is a year's last.
  static long daysOf(int year, int month, int day) {
    int shiftedYear = month <= 2 ? year - 1 : year;
    int era = shiftedYear >= 0 ? 0 : Math.floorDiv(shiftedYear, YEARS_OF_ERA);
    int years = shiftedYear - era * YEARS_OF_ERA;
    int centuries = years / 100;
    int dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    long days = years * 365L + (years >> 2) - centuries + (centuries >> 2) + dayOfYear;
    return (long) era * DAYS_OF_ERA + days - DAYS_TO_EPOCH;
  }

  /// Months since January of year 0 of the month that holds a day.
  static long monthsOf(long days) {
    long shifted = days + DAYS_TO_EPOCH;
    long era = Math.floorDiv(shifted, DAYS_OF_ERA);
    int dayOfEra = (int) (shifted - era * DAYS_OF_ERA);
    int yearOfEra =
        (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / (DAYS_OF_ERA - 1)) / 365;
    int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int monthFromMarch = (5 * dayOfYear + 2) / 153;
    return (era * 400 + yearOfEra) * 12 + monthFromMarch + 2;
  }

  /// Days since 1970-01-01 of the first day of a month counted as [#monthsOf] does.
  static long firstDayOf(long months) {
    return daysOf((int) Math.floorDiv(months, 12L), Math.floorMod(months, 12) + 1, 1);
  }

  /// Whether the day exists.
  static boolean isDate(int year, int month, int day) {
    return month >= 1 && month <= 12 && day >= 1 && (day <= 28 || day <= daysIn(year, month));
  }

  private static int daysIn(int year, int month) {
    if (month == 2) {
      return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
    }
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
  }
}
