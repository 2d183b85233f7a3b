package dev.holdfast.api.slm;

import dev.holdfast.http.TimeValue;
import dev.holdfast.world.Refusal;
import java.time.Duration;

/// When a policy is due.
sealed interface SnapshotSchedule {
  /// Clocks of nodes differ by less.
  long SKEW_MAX_MILLIS = 3_600_000;

  /// When something was done, or 0 when that lies in the future: the clock that said so was wrong,
  /// and until then nothing would be due.
  static long known(long millis, long now) {
    return millis - now > SKEW_MAX_MILLIS ? 0 : millis;
  }

  /// A cron expression, or a time: once in so long.
  ///
  /// @throws IllegalArgumentException with a reason for people
  static SnapshotSchedule parse(String text) {
    if (text.matches("-?[0-9]+\\s*[a-zA-Z]*")) {
      Duration period = period(text);
      if (period.toMillis() <= 0) {
        throw new IllegalArgumentException("time unit must be at least 1 millisecond");
      }
      return new Interval(period.toMillis());
    }
    try {
      return new Cron(CronExpression.parse(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "invalid cron expression [" + text + "]: " + e.getMessage(), e);
    }
  }

  private static Duration period(String text) {
    try {
      return TimeValue.parse("schedule", text);
    } catch (Refusal e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /// The first time that it is due after a moment, all epoch milliseconds; -1 when it never is.
  ///
  /// @param madeMillis when the policy was made or changed
  long nextAfter(long millis, long madeMillis);

  record Cron(CronExpression expression) implements SnapshotSchedule {
    @Override
    public long nextAfter(long millis, long madeMillis) {
      return expression.nextAfter(millis);
    }
  }

  /// @param everyMillis counted from when the policy was made or changed
  record Interval(long everyMillis) implements SnapshotSchedule {
    @Override
    public long nextAfter(long millis, long madeMillis) {
      long periods = Math.max(0, Math.floorDiv(millis - madeMillis, everyMillis));
      return madeMillis + (periods + 1) * everyMillis;
    }
  }
}
