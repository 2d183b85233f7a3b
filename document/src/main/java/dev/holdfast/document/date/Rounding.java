package dev.holdfast.document.date;

import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/// Rounds instants down to the start of their bucket, in a time zone: days of 23 or 25 hours are
/// one bucket, hours that happen twice are two. Times are milliseconds since 1970. Safe for many
/// threads.
public final class Rounding {
  private static final long DAY = 86_400_000;
  private static final long MONDAY = -3 * DAY;

  /// Buckets that reach further than this beyond a change of offset have all changes between behind
  /// or before them: no change of them all together moves a clock by as much.
  private static final long FAR = 32 * DAY;

  /// Deltas below are exact as doubles, with a bit to spare.
  private static final long EXACT_MAX = 1L << 51;

  private final LocalStep step;
  private final boolean isMidnight;
  private final ZoneId zone;
  private final @Nullable ZoneRules rules;
  private final long shiftMillis;

  /// The span last used. Threads may overwrite one another's: spans are immutable, any will do.
  private ZoneSpan lastSpan;

  private Rounding(LocalStep step, boolean isMidnight, ZoneId zone, long shiftMillis) {
    this.step = step;
    this.isMidnight = isMidnight;
    this.zone = zone;
    this.shiftMillis = shiftMillis;
    ZoneRules zoneRules = zone.getRules();
    this.rules = zoneRules.isFixedOffset() ? null : zoneRules;
    this.lastSpan =
        rules == null
            ? ZoneSpan.always(
                zoneRules.getOffset(java.time.Instant.EPOCH).getTotalSeconds() * 1000L)
            : ZoneSpan.of(rules, 0);
  }

  /// @param unit `second`, `minute`, `hour`, `day`, `week` (from Monday), `month`, `quarter`,
  ///   `year` or `1s`, `1m`, `1h`, `1d`, `1w`, `1M`, `1q`, `1y`
  /// @param offsetMillis moves every bucket's start
  /// @throws Refusal `illegal_argument_exception` for any other unit
  public static Rounding calendar(String unit, ZoneId zone, long offsetMillis) {
    return switch (unit) {
      case "second", "1s" -> every(1000, zone, offsetMillis);
      case "minute", "1m" -> every(60_000, zone, offsetMillis);
      case "hour", "1h" -> every(3_600_000, zone, offsetMillis);
      case "day", "1d" -> midnight(new LocalStep.Every(DAY, 0), zone, offsetMillis);
      case "week", "1w" -> midnight(new LocalStep.Every(7 * DAY, MONDAY), zone, offsetMillis);
      case "month", "1M" -> midnight(new LocalStep.Months(1), zone, offsetMillis);
      case "quarter", "1q" -> midnight(new LocalStep.Months(3), zone, offsetMillis);
      case "year", "1y" -> midnight(new LocalStep.Months(12), zone, offsetMillis);
      default ->
          throw Refusal.badArgument(
              "The supplied interval [" + unit + "] could not be parsed as a calendar interval.");
    };
  }

  /// Buckets of a fixed length, counted from 1970-01-01T00:00 local time.
  ///
  /// @param offsetMillis moves every bucket's start
  /// @throws Refusal `illegal_argument_exception` when the interval is not positive
  public static Rounding fixed(long intervalMillis, ZoneId zone, long offsetMillis) {
    if (intervalMillis < 1) {
      throw Refusal.badArgument("Zero or negative time interval not supported");
    }
    return every(intervalMillis, zone, offsetMillis);
  }

  private static Rounding every(long intervalMillis, ZoneId zone, long offsetMillis) {
    return new Rounding(new LocalStep.Every(intervalMillis, 0), false, zone, offsetMillis);
  }

  private static Rounding midnight(LocalStep step, ZoneId zone, long offsetMillis) {
    return new Rounding(step, true, zone, offsetMillis);
  }

  /// How many months a bucket has; 0 where its length is counted in milliseconds.
  public int months() {
    return switch (step) {
      case LocalStep.Months steps -> steps.count();
      case LocalStep.Every _ -> 0;
    };
  }

  /// How long a bucket is where no clock is changed; 0 for months.
  public long lengthMillis() {
    return switch (step) {
      case LocalStep.Months _ -> 0;
      case LocalStep.Every every -> every.intervalMillis();
    };
  }

  /// The start of the bucket that holds an instant.
  public long round(long millis) {
    long rounded = Saturated.plus(floor(unshifted(millis)), shiftMillis);
    return Math.min(rounded, millis); // later only where numbers begin within that bucket
  }

  /// The start of the bucket that would hold an instant if none was moved by the offset.
  public long roundUnmoved(long millis) {
    return Math.min(floor(millis), millis);
  }

  /// The start of a bucket that is moved by the offset.
  public long moved(long start) {
    return Saturated.plus(start, shiftMillis);
  }

  /// The start of the bucket after the one that begins at `rounded`; the greatest number where the
  /// next would begin behind it.
  public long next(long rounded) {
    long next = Saturated.plus(nextFloor(unshifted(rounded)), shiftMillis);
    return next > rounded ? next : Long.MAX_VALUE; // numbers end within that bucket
  }

  private long unshifted(long millis) {
    return Saturated.minus(millis, shiftMillis);
  }

  /// Replaces the first `count` instants by the starts of their buckets: about a nanosecond each
  /// when the buckets have a fixed length or neighbours share one.
  public void round(long[] millis, int count) {
    Promise.keep(count >= 0 && count <= millis.length, "count within array", "count", count);
    if (count == 0) {
      return;
    }
    long least = millis[0];
    long most = least;
    for (int i = 1; i < count; i++) {
      least = Math.min(least, millis[i]);
      most = Math.max(most, millis[i]);
    }
    long first = round(least);
    ZoneSpan span = span(unshifted(least));
    boolean isOneSpan = span.contains(unshifted(most)) && unshifted(first) >= span.start();
    if (isOneSpan && most < next(first)) {
      java.util.Arrays.fill(millis, 0, count, first);
    } else if (isOneSpan
        && (!isMidnight || unshifted(first) >= span.start() + 2 * DAY)
        && step instanceof LocalStep.Every every
        && isAligned(first, span, every)
        && Saturated.minus(most, first) < EXACT_MAX) {
      roundEvery(millis, count, first, every.intervalMillis());
    } else {
      roundByBucket(millis, count);
    }
  }

  /// A bucket cut short by a change of offset does not begin on its step.
  private boolean isAligned(long first, ZoneSpan span, LocalStep.Every every) {
    long local = Saturated.plus(unshifted(first), span.offsetMillis());
    return every.floor(local) == local;
  }

  private static void roundEvery(long[] millis, int count, long first, long interval) {
    double inverse = 1.0 / interval;
    for (int i = 0; i < count; i++) {
      long delta = millis[i] - first;
      // The quotient in floating point is off by one at most; the remainder's sign says which way.
      long quotient = (long) (delta * inverse);
      long remainder = delta - quotient * interval;
      remainder += interval & (remainder >> 63);
      remainder -= interval & ~((remainder - interval) >> 63);
      millis[i] -= remainder;
    }
  }

  private void roundByBucket(long[] millis, int count) {
    long rounded = 0;
    long from = 0;
    long to = 0;
    for (int i = 0; i < count; i++) {
      long value = millis[i];
      if (value < from || value >= to) {
        rounded = round(value);
        // The bucket's part in this span, by local time: where a clock went back across midnight,
        // the bucket that the day began in is not one piece of time.
        ZoneSpan span = span(unshifted(value));
        long local = step.floor(Saturated.plus(unshifted(value), span.offsetMillis()));
        long begin = Saturated.minus(local, span.offsetMillis());
        long end = Saturated.minus(step.next(local), span.offsetMillis());
        from = Saturated.plus(Math.max(begin, span.start()), shiftMillis);
        to = Saturated.plus(Math.min(end, span.end()), shiftMillis);
      }
      millis[i] = rounded;
    }
  }

  private ZoneSpan span(long millis) {
    ZoneSpan span = lastSpan;
    if (rules == null || span.contains(millis)) {
      return span;
    }
    span = ZoneSpan.of(rules, millis);
    lastSpan = span;
    return span;
  }

  private long floor(long millis) {
    long at = millis;
    while (true) {
      ZoneSpan span = span(at);
      long local = step.floor(Saturated.plus(at, span.offsetMillis()));
      long rounded = Saturated.minus(local, span.offsetMillis());
      if (isMidnight) {
        // Near the change of offset that begins the span, midnight may have happened before, or not
        // at all. No change moves a clock by more than a day.
        return rounded >= span.start() + 2 * DAY ? rounded : startOfDay(local);
      }
      if (rounded >= span.start()) {
        return rounded;
      }
      if (span.isSkipped(local)) {
        return span.start();
      }
      at = rounded < span.start() - FAR ? rounded + 2 * DAY : span.start() - 1;
    }
  }

  private long startOfDay(long local) {
    LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(local, DAY));
    try {
      return day.atStartOfDay(zone).toInstant().toEpochMilli();
    } catch (ArithmeticException beyondAllMillis) {
      return local;
    }
  }

  private long nextFloor(long rounded) {
    long from = rounded;
    while (true) {
      ZoneSpan span = span(from);
      long local = step.next(step.floor(Saturated.plus(from, span.offsetMillis())));
      long next = Saturated.minus(local, span.offsetMillis());
      boolean isWithin = next < span.end() || span.end() == Long.MAX_VALUE;
      if (isMidnight) {
        return isWithin && next >= span.start() + 2 * DAY ? next : startOfDay(local);
      }
      if (isWithin) {
        return next;
      }
      if (floor(span.end()) == span.end()) {
        return span.end();
      }
      from = span.end() < Saturated.minus(next, FAR) ? next - 2 * DAY : span.end();
    }
  }
}
