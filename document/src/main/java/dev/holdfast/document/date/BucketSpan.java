package dev.holdfast.document.date;

import dev.holdfast.world.Refusal;

/// The span of time of a bucket.
///
/// @param rounding that made the bucket
/// @param startMillis its key
public record BucketSpan(Rounding rounding, long startMillis) {
  private static final double MILLIS_OF_DAY = 86_400_000;

  /// What rates are by.
  ///
  /// @param millis of it; of a month 30 days, of a year 365
  /// @param months of it; 0 where it is counted in milliseconds
  public record Unit(String name, double millis, int months) {

    /// @throws Refusal `illegal_argument_exception` for an unknown one
    public static Unit of(String text) {
      return switch (text) {
        case "second", "1s" -> new Unit("second", 1000, 0);
        case "minute", "1m" -> new Unit("minute", 60_000, 0);
        case "hour", "1h" -> new Unit("hour", 3_600_000, 0);
        case "day", "1d" -> new Unit("day", MILLIS_OF_DAY, 0);
        case "week", "1w" -> new Unit("week", 7 * MILLIS_OF_DAY, 0);
        case "month", "1M" -> new Unit("month", 30 * MILLIS_OF_DAY, 1);
        case "quarter", "1q" -> new Unit("quarter", 91.25 * MILLIS_OF_DAY, 3);
        case "year", "1y" -> new Unit("year", 365 * MILLIS_OF_DAY, 12);
        default -> throw Refusal.badArgument("Unsupported unit " + text);
      };
    }
  }

  /// How many units it is long.
  ///
  /// @throws Refusal `illegal_argument_exception` for months of what is counted in milliseconds
  public double in(Unit unit) {
    int months = rounding.months();
    if (unit.months() == 0) {
      long millis =
          months == 0 ? rounding.lengthMillis() : rounding.next(startMillis) - startMillis;
      return millis / unit.millis();
    }
    if (months == 0) {
      throw Refusal.badArgument(
          "Cannot use month-based rate unit ["
              + unit.name()
              + "] with non-month based calendar interval histogram, only week, day, hour, minute"
              + " and second are supported for this histogram");
    }
    return (double) months / unit.months();
  }
}
