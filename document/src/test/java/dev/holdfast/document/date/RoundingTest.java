package dev.holdfast.document.date;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.Refusal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RoundingTest {
  private static final List<String> ZONES =
      List.of(
          "UTC",
          "+05:30",
          "Europe/Paris",
          "America/New_York",
          "America/Sao_Paulo",
          "Australia/Lord_Howe",
          "Asia/Kathmandu",
          "America/St_Johns",
          "Pacific/Apia");
  private static final List<String> UNITS = List.of("1d", "1w", "1M", "1q", "1y");
  private static final long FROM = Instant.parse("1960-01-01T00:00:00Z").toEpochMilli();
  private static final long TO = Instant.parse("2040-01-01T00:00:00Z").toEpochMilli();

  @Test
  void calendarUnitsRoundToTheStartOfTheLocalDayAsJavaTimeDoes() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (String name : ZONES) {
      ZoneId zone = ZoneIds.parse(name);
      for (String unit : UNITS) {
        Rounding rounding = Rounding.calendar(unit, zone, 0);
        for (int i = 0; i < 2000; i++) {
          long millis = nearATransition(random, zone);
          LocalDate first = first(unit, Instant.ofEpochMilli(millis).atZone(zone).toLocalDate());
          long expected = first.atStartOfDay(zone).toInstant().toEpochMilli();
          long rounded = rounding.round(millis);
          assertThat(rounded)
              .as("seed %s, %s, %s, %s", seed, name, unit, millis)
              .isEqualTo(expected);
          assertThat(rounding.next(rounded))
              .as("next: seed %s, %s, %s, %s", seed, name, unit, millis)
              .isEqualTo(next(unit, first).atStartOfDay(zone).toInstant().toEpochMilli());
        }
      }
    }
  }

  @Test
  void fixedIntervalsAreTheLatestLocalMultipleNotAfterTheInstant() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (String name : ZONES) {
      ZoneId zone = ZoneIds.parse(name);
      for (long interval : new long[] {1000, 60_000, 3_600_000, 5_400_000, 21_600_000}) {
        Rounding rounding = Rounding.fixed(interval, zone, 0);
        for (int i = 0; i < 300; i++) {
          long millis = nearATransition(random, zone);
          long rounded = rounding.round(millis);
          String label = "seed " + seed + " " + name + " " + interval + " " + millis;
          assertThat(rounded).as(label).isLessThanOrEqualTo(millis);
          assertThat(rounding.round(rounded)).as(label).isEqualTo(rounded);
          assertThat(isBoundary(rounded, interval, zone)).as(label).isTrue();
          for (long step = rounded + 900_000; step <= millis; step += 900_000) {
            assertThat(isBoundary(step - step % 900_000, interval, zone) && step % 900_000 == 0)
                .as("a later boundary: " + label + " " + step)
                .isFalse();
          }
          long next = rounding.next(rounded);
          assertThat(next).as(label).isGreaterThan(millis);
          assertThat(rounding.round(next)).as(label).isEqualTo(next);
          assertThat(rounding.round(next - 1)).as(label).isEqualTo(rounded);
        }
      }
    }
  }

  @Test
  void bulkRoundingIsRoundingOfEach() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (String name : ZONES) {
      ZoneId zone = ZoneIds.parse(name);
      for (Rounding rounding :
          List.of(
              Rounding.calendar("hour", zone, 0),
              Rounding.calendar("day", zone, 3_600_000),
              Rounding.calendar("month", zone, -1),
              Rounding.fixed(7 * 60_000, zone, 1234),
              Rounding.fixed(1, zone, 0))) {
        for (int round = 0; round < 60; round++) {
          long width = 1L << random.nextInt(41);
          long start = nearATransition(random, zone);
          long[] millis = random.longs(200, start - width, start + width).toArray();
          long[] expected = new long[150];
          for (int i = 0; i < 150; i++) {
            expected[i] = rounding.round(millis[i]);
          }
          long untouched = millis[150];
          rounding.round(millis, 150);
          assertThat(java.util.Arrays.copyOf(millis, 150))
              .as("seed %s, %s", seed, name)
              .isEqualTo(expected);
          assertThat(millis[150]).isEqualTo(untouched);
        }
      }
    }
  }

  @Test
  void hoursThatHappenTwiceAreTwoBuckets() {
    Rounding rounding = Rounding.calendar("1h", ZoneIds.parse("Europe/Paris"), 0);
    long first = Instant.parse("2024-10-27T00:30:00Z").toEpochMilli();
    long second = Instant.parse("2024-10-27T01:30:00Z").toEpochMilli();

    assertThat(rounding.round(second) - rounding.round(first)).isEqualTo(3_600_000);
    assertThat(rounding.next(rounding.round(first))).isEqualTo(rounding.round(second));
  }

  @Test
  void aDayThatResumesAfterMidnightIsTwoPiecesInBulk() {
    Rounding rounding = Rounding.calendar("1d", ZoneIds.parse("America/St_Johns"), 0);
    // The clock went back from 00:01 to 23:01 at 02:31 UTC.
    long before = millis("1987-10-25T02:30:30Z");
    long resumed = millis("1987-10-25T03:00:00Z");
    long after = millis("1987-10-25T15:00:00Z");
    long[] bulk = {after, resumed, before, after};
    long[] expected = {
      rounding.round(after), rounding.round(resumed), rounding.round(before), rounding.round(after)
    };

    rounding.round(bulk, bulk.length);

    assertThat(bulk).isEqualTo(expected);
    assertThat(expected[0]).isEqualTo(expected[2]).isGreaterThan(expected[1]);
  }

  @Test
  void offsetsMoveBuckets() {
    Rounding rounding = Rounding.calendar("day", ZoneIds.parse("UTC"), 6 * 3_600_000L);

    assertThat(Instant.ofEpochMilli(rounding.round(millis("2024-01-02T05:00:00Z"))))
        .isEqualTo(Instant.parse("2024-01-01T06:00:00Z"));
  }

  @Test
  void refusesUnknownUnits() {
    assertThatThrownBy(() -> Rounding.calendar("2d", ZoneIds.parse("UTC"), 0))
        .isInstanceOf(Refusal.class)
        .hasMessage("The supplied interval [2d] could not be parsed as a calendar interval.");
    assertThatThrownBy(() -> ZoneIds.parse("Moon/Base")).isInstanceOf(Refusal.class);
  }

  private static long millis(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  private static long nearATransition(Random random, ZoneId zone) {
    long millis = random.nextLong(FROM, TO);
    var transition = zone.getRules().nextTransition(Instant.ofEpochMilli(millis));
    return transition == null || random.nextInt(4) == 0
        ? millis
        : transition.toEpochSecond() * 1000 + random.nextLong(-180_000_000, 180_000_000);
  }

  private static boolean isBoundary(long millis, long interval, ZoneId zone) {
    Instant instant = Instant.ofEpochMilli(millis);
    long local = millis + zone.getRules().getOffset(instant).getTotalSeconds() * 1000L;
    if (Math.floorMod(local, interval) == 0) {
      return true;
    }
    long before = zone.getRules().getOffset(instant.minusMillis(1)).getTotalSeconds() * 1000L;
    boolean isGapStart = millis + before < local;
    return isGapStart && Math.floorDiv(local, interval) * interval >= millis + before;
  }

  private static LocalDate first(String unit, LocalDate day) {
    return switch (unit) {
      case "1d" -> day;
      case "1w" -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case "1M" -> day.withDayOfMonth(1);
      case "1q" -> day.with(IsoFields.DAY_OF_QUARTER, 1);
      default -> day.withDayOfYear(1);
    };
  }

  private static LocalDate next(String unit, LocalDate first) {
    return switch (unit) {
      case "1d" -> first.plusDays(1);
      case "1w" -> first.plusWeeks(1);
      case "1M" -> first.plusMonths(1);
      case "1q" -> first.plusMonths(3);
      default -> first.plusYears(1);
    };
  }
}
