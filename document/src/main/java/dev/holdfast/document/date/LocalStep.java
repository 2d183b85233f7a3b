package dev.holdfast.document.date;

/// Buckets of local time without regard to any zone; times are milliseconds from 1970-01-01T00:00
/// local.
sealed interface LocalStep {
  /// The start of the bucket that holds a time.
  long floor(long localMillis);

  /// The start of the bucket after the one that begins at `floor`.
  long next(long floor);

  /// Buckets of a fixed length.
  ///
  /// @param origin the start of one of them
  record Every(long intervalMillis, long origin) implements LocalStep {
    @Override
    public long floor(long localMillis) {
      long into = Math.floorMod(Saturated.minus(localMillis, origin), intervalMillis);
      return Saturated.minus(localMillis, into);
    }

    @Override
    public long next(long floor) {
      return Saturated.plus(floor, intervalMillis);
    }
  }

  /// Buckets of so many months; they divide a year.
  record Months(int count) implements LocalStep {
    private static final long DAY = 86_400_000;

    @Override
    public long floor(long localMillis) {
      long months = Civil.monthsOf(Math.floorDiv(localMillis, DAY));
      return Saturated.times(Civil.firstDayOf(months - Math.floorMod(months, count)), DAY);
    }

    @Override
    public long next(long floor) {
      long months = Civil.monthsOf(Math.floorDiv(floor, DAY)) + count;
      return Saturated.times(Civil.firstDayOf(months), DAY);
    }
  }
}
