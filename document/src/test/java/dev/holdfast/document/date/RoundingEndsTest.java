package dev.holdfast.document.date;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Rounding where time begins and ends, and by steps that are longer than any calendar.
final class RoundingEndsTest {
  private static final long DAY = 86_400_000;
  private static final List<String> ZONES =
      List.of("UTC", "-18:00", "+18:00", "Europe/Paris", "America/St_Johns", "Pacific/Apia");
  private static final long[] MOMENTS = {
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1,
    -9_000_000_000_000_000_000L,
    -2_400_000_000_000_000_000L,
    -1,
    0,
    2_400_000_000_000_000_000L,
    9_000_000_000_000_000_000L,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE
  };

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void everyMomentHasABucketAndEveryBucketAnEnd() {
    for (String name : ZONES) {
      for (long offset : new long[] {0, 3_600_000, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
        for (Rounding rounding : roundings(ZoneIds.parse(name), offset)) {
          for (long millis : MOMENTS) {
            long rounded = rounding.round(millis);
            long next = rounding.next(rounded);
            String label = name + " " + offset + " " + millis + " " + rounding.lengthMillis();
            assertThat(next > rounded || next == Long.MAX_VALUE).as(label).isTrue();
            assertThat(rounded).as(label).isLessThanOrEqualTo(millis);
            // In the last hours of numbers a local time may be beyond them.
            if (offset == 0 && millis < Long.MAX_VALUE - DAY) {
              assertThat(next > millis || next == Long.MAX_VALUE).as(label).isTrue();
            }
          }
          long[] bulk = MOMENTS.clone();
          rounding.round(bulk, bulk.length);
          for (int i = 0; i < bulk.length; i++) {
            // At the ends of time buckets are cut short.
            if (offset == 0 && i > 1 && i < 8 && rounding.lengthMillis() < Long.MAX_VALUE) {
              assertThat(bulk[i]).isEqualTo(rounding.round(MOMENTS[i]));
            }
          }
        }
      }
    }
  }

  private static List<Rounding> roundings(ZoneId zone, long offset) {
    List<Rounding> all = new ArrayList<>();
    for (long interval : new long[] {1, 7, 1000, DAY, 400 * DAY, 1L << 52, Long.MAX_VALUE}) {
      all.add(Rounding.fixed(interval, zone, offset));
    }
    for (String unit : List.of("second", "hour", "day", "week", "month", "quarter", "year")) {
      all.add(Rounding.calendar(unit, zone, offset));
    }
    return all;
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void stepsOverManyChangesOfTheClockBeginAndEndAtLocalMultiples() {
    Random random = new Random(5);
    for (String name : ZONES) {
      ZoneId zone = ZoneIds.parse(name);
      for (long days : new long[] {33, 100, 1000, 20_000, 900_000_000}) {
        Rounding rounding = Rounding.fixed(days * DAY, zone, 0);
        for (int i = 0; i < 200; i++) {
          long millis = random.nextLong(-4_000_000, 80_000_000) * 3_600_000;
          String label = name + " " + days + " " + millis;
          long rounded = rounding.round(millis);
          long next = rounding.next(rounded);
          assertThat(rounded).as(label).isLessThanOrEqualTo(millis);
          assertThat(next).as(label).isGreaterThan(millis);
          assertThat(rounding.round(next)).as(label).isEqualTo(next);
          assertThat(rounding.round(next - 1)).as(label).isEqualTo(rounded);
          assertThat(local(rounded, zone) % (days * DAY)).as(label).isZero();
        }
      }
    }
  }

  private static long local(long millis, ZoneId zone) {
    Instant instant = Instant.ofEpochMilli(millis);
    return millis + zone.getRules().getOffset(instant).getTotalSeconds() * 1000L;
  }
}
