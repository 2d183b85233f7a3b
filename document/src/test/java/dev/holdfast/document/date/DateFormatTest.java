package dev.holdfast.document.date;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DateFormatTest {
  private static final long NOW = Instant.parse("2024-02-29T13:45:30.123Z").toEpochMilli();

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "strict_date_optional_time, 2020, 2020-01-01T00:00:00Z",
        "strict_date_optional_time, 2020-02, 2020-02-01T00:00:00Z",
        "strict_date_optional_time, 2020-02-29, 2020-02-29T00:00:00Z",
        "strict_date_optional_time, 2020-02-29T, 2020-02-29T00:00:00Z",
        "strict_date_optional_time, 2020-02-29T12, 2020-02-29T12:00:00Z",
        "strict_date_optional_time, 2020-02-29T12:30, 2020-02-29T12:30:00Z",
        "strict_date_optional_time, 2020-02-29T12:30:15Z, 2020-02-29T12:30:15Z",
        "strict_date_optional_time, 2020-02-29T12:30:15.1Z, 2020-02-29T12:30:15.100Z",
        "strict_date_optional_time, \"2020-02-29T12:30:15,123456789Z\", 2020-02-29T12:30:15.123Z",
        "strict_date_optional_time, 2020-02-29T12:30:15+01:00, 2020-02-29T11:30:15Z",
        "strict_date_optional_time, 2020-02-29T12:30:15.5-0130, 2020-02-29T14:00:15.500Z",
        "strict_date_optional_time, 2020-02-29T12:30+02, 2020-02-29T10:30:00Z",
        "strict_date_optional_time, 2020-07-01T12:30:00Europe/Paris, 2020-07-01T10:30:00Z",
        "strict_date_optional_time, +12020-07-01T12:30:00Z, +12020-07-01T12:30:00Z",
        "strict_date_optional_time, -0044-03-15, -0044-03-15T00:00:00Z",
        "date_optional_time, 2020-2-9T1:2:3, 2020-02-09T01:02:03Z",
        "date_optional_time, 2020-02-09T01:02:03.004+01:00, 2020-02-09T00:02:03.004Z",
        "strict_date_optional_time||epoch_millis, 1577836800123, 2020-01-01T00:00:00.123Z",
        "epoch_millis, -1, 1969-12-31T23:59:59.999Z",
        "epoch_millis, 1.9, 1970-01-01T00:00:00.001Z",
        "epoch_second, 1577836800, 2020-01-01T00:00:00Z",
        "epoch_second, -1.5, 1969-12-31T23:59:58.500Z",
        "epoch_second, 1577836800.25, 2020-01-01T00:00:00.250Z",
        "basic_date, 20200229, 2020-02-29T00:00:00Z",
        "basic_date_time, 20200229T123015.123Z, 2020-02-29T12:30:15.123Z",
        "basic_date_time_no_millis, 20200229T123015+0100, 2020-02-29T11:30:15Z",
        "basic_ordinal_date, 2020060, 2020-02-29T00:00:00Z",
        "basic_week_date, 2020W096, 2020-02-29T00:00:00Z",
        "date, 2020-2-9, 2020-02-09T00:00:00Z",
        "strict_date, 2020-02-09, 2020-02-09T00:00:00Z",
        "date_hour, 2020-02-29T12, 2020-02-29T12:00:00Z",
        "date_hour_minute, 2020-02-29T12:30, 2020-02-29T12:30:00Z",
        "date_hour_minute_second, 2020-02-29T12:30:15, 2020-02-29T12:30:15Z",
        "date_hour_minute_second_millis, 2020-02-29T12:30:15.123, 2020-02-29T12:30:15.123Z",
        "date_time, 2020-02-29T12:30:15.123Z, 2020-02-29T12:30:15.123Z",
        "strict_date_time_no_millis, 2020-02-29T12:30:15+05:30, 2020-02-29T07:00:15Z",
        "hour_minute, 12:30, 1970-01-01T12:30:00Z",
        "t_time, T12:30:15.5Z, 1970-01-01T12:30:15.500Z",
        "time_no_millis, 12:30:15+01:00, 1970-01-01T11:30:15Z",
        "ordinal_date, 2020-060, 2020-02-29T00:00:00Z",
        "strict_week_date, 2020-W09-6, 2020-02-29T00:00:00Z",
        "weekyear_week, 2020-W09, 2020-02-24T00:00:00Z",
        "weekyear, 2020, 2019-12-30T00:00:00Z",
        "year, 2020, 2020-01-01T00:00:00Z",
        "strict_year_month, 2020-02, 2020-02-01T00:00:00Z",
        "yyyy-MM-dd HH:mm:ss, 2020-02-29 12:30:15, 2020-02-29T12:30:15Z",
        "yyyy-MM-dd HH:mm:ss.SSS, 2020-02-29 12:30:15.123, 2020-02-29T12:30:15.123Z",
        "yyyy-MM-dd'T'HH:mm:ss, 2020-02-29T12:30:15, 2020-02-29T12:30:15Z",
        "strict_date_hour_minute_second_fraction, 2020-02-29T12:30:15.5, 2020-02-29T12:30:15.500Z",
        "strict_date_time_no_millis, 0000-01-01T00:00:00Z, 0000-01-01T00:00:00Z",
        "yyyyMMdd, 20200229, 2020-02-29T00:00:00Z",
        "uuuu/MM/dd'T'HH:mmX, 2020/02/29T12:30Z, 2020-02-29T12:30:00Z",
        "uuuu/MM/dd'T'HH:mmX, 2020/02/29T12:30+01, 2020-02-29T11:30:00Z",
        "dd/MMM/yyyy:HH:mm:ss Z, 29/Feb/2020:12:30:15 +0100, 2020-02-29T11:30:15Z",
        "yyyy-MM-dd||dd.MM.yyyy, 29.02.2020, 2020-02-29T00:00:00Z",
        "yyyy-MM, 2020-02, 2020-02-01T00:00:00Z",
        "8yyyy, 2020, 2020-01-01T00:00:00Z",
      })
  void readsDates(String pattern, String text, String instant) {
    DateFormat format = DateFormat.of(pattern);

    assertThat(millis(format, text)).isEqualTo(Instant.parse(instant).toEpochMilli());
    assertThat(matches(format, text)).isTrue();
    assertThat(format.parseMillis(text, null, false, NOW))
        .isEqualTo(Instant.parse(instant).toEpochMilli());
  }

  @ParameterizedTest
  @CsvSource({
    "strict_date_optional_time, 20",
    "strict_date_optional_time, 2020-1-1",
    "strict_date_optional_time, 2020-13-01",
    "strict_date_optional_time, 2021-02-29",
    "strict_date_optional_time, 2020-02-29 12:30",
    "strict_date_optional_time, 2020-02-29T24:00",
    "strict_date_optional_time, 2020-02-29T12:60",
    "strict_date_optional_time, 2020-02-29T12:30:15.",
    "strict_date_optional_time, 2020-02-29T12:30:15.1234567890",
    "strict_date_optional_time, 2020-02-29T12:30:15+",
    "strict_date_optional_time, 2020-02-29T12:30:15+25:00",
    "strict_date_optional_time, 2020-02-29T12:30:15Zebra",
    "strict_date_optional_time, 2020-02-29Z",
    "strict_date_optional_time, 2020-",
    "strict_date_optional_time, hello",
    "strict_date_optional_time||epoch_millis, 12x",
    "epoch_millis, 1.",
    "epoch_millis, -",
    "epoch_second, 99999999999999999",
    "strict_date, 2020-2-9",
    "strict_date_time, 2020-02-29T12:30:15.123",
    "yyyy-MM-dd HH:mm:ss, 2020-02-30 12:30:15",
    "yyyy-MM-dd HH:mm:ss, 2020-02-29 12:30",
    "yyyy-MM-dd HH:mm:ss, 2020-02-29 12:30:150",
    "yyyy-MM-dd HH:mm:ss, 2020-02-29T12:30:15",
    "yyyy-MM-dd HH:mm:ss, 2020-02-29 12:3\u00b015",
    "strict_date_optional_time, 2020-02-29T12:30:60",
    "strict_date_optional_time, 2020:02-29T12:30:15",
    "strict_date_hour_minute_second_fraction, 2020-02-29T12:30:15",
    "strict_date_hour_minute_second, 2020-02-29T12:30:15.1",
    "yyyyMMdd, 2020022",
    "basic_date, 2020-02-29",
  })
  void refusesWhatIsNoDate(String pattern, String text) {
    DateFormat format = DateFormat.of(pattern);

    assertThat(matches(format, text)).isFalse();
    assertThatThrownBy(() -> millis(format, text))
        .isInstanceOf(Refusal.class)
        .hasMessage("failed to parse date field [" + text + "] with format [" + pattern + "]")
        .satisfies(refusal ->
            assertThat(refusal.getCause())
                .isInstanceOfSatisfying(
                    Refusal.class,
                    cause ->
                        assertThat(cause.type().type()).isEqualTo("date_time_parse_exception")));
  }

  @Test
  void fastFormsAgreeWithJavaTimeOnRandomDates() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<String> patterns =
        List.of("yyyy-MM-dd HH:mm:ss", "yyyyMMddHHmmss", "dd.MM.yyyy HH:mm:ss.SSS", "yyyy/MM/dd");
    for (int i = 0; i < 20_000; i++) {
      long seconds = random.nextLong(-62_135_596_800L, 253_402_300_800L);
      int nanos = random.nextInt(1_000_000_000);
      LocalDateTime local = LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC);
      for (String pattern : patterns) {
        DateTimeFormatter formatter =
            DateTimeFormatter.ofPattern(pattern.replace('y', 'u'), Locale.ENGLISH);
        String text = formatter.format(local);
        LocalDateTime expected =
            pattern.indexOf('H') < 0
                ? local.toLocalDate().atStartOfDay()
                : LocalDateTime.parse(text, formatter);
        assertThat(millis(DateFormat.of(pattern), text))
            .as("seed %s, %s", seed, text)
            .isEqualTo(expected.toInstant(ZoneOffset.UTC).toEpochMilli());
      }
      int minutes = random.nextInt(-18 * 60, 18 * 60 + 1);
      OffsetDateTime zoned = local.atOffset(ZoneOffset.ofTotalSeconds(minutes * 60));
      String iso = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(zoned);
      assertThat(millis(DateFormat.DEFAULT, iso))
          .as("seed %s, %s", seed, iso)
          .isEqualTo(zoned.toInstant().toEpochMilli());
      String written = DateFormat.DEFAULT.format(seconds * 1000 + nanos / 1_000_000, null);
      assertThat(millis(DateFormat.DEFAULT, written)).isEqualTo(seconds * 1000 + nanos / 1_000_000);
    }
  }

  @Test
  void readsNanoseconds() {
    byte[] utf8 = "2020-02-29T12:30:15.123456789Z".getBytes(StandardCharsets.UTF_8);
    long nanos = DateFormat.DEFAULT_NANOS.parseNanos(utf8, 0, utf8.length);

    assertThat(nanos)
        .isEqualTo(
            Instant.parse("2020-02-29T12:30:15Z").getEpochSecond() * 1_000_000_000L + 123_456_789);
    assertThat(DateFormat.DEFAULT_NANOS.formatNanos(nanos, null))
        .isEqualTo("2020-02-29T12:30:15.123456789Z");
    byte[] early = "1969-12-31".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> DateFormat.DEFAULT_NANOS.parseNanos(early, 0, early.length))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("is before the epoch in 1970");
  }

  @ParameterizedTest
  @CsvSource({
    "now, false, 2024-02-29T13:45:30.123Z",
    "now-1d, false, 2024-02-28T13:45:30.123Z",
    "now-1d/d, false, 2024-02-28T00:00:00Z",
    "now-1d/d, true, 2024-02-28T23:59:59.999Z",
    "now/w, false, 2024-02-26T00:00:00Z",
    "now/w, true, 2024-03-03T23:59:59.999Z",
    "now/M, true, 2024-02-29T23:59:59.999Z",
    "now/y, true, 2024-12-31T23:59:59.999Z",
    "now+1y/H, false, 2025-02-28T13:00:00Z",
    "now-90s/m, false, 2024-02-29T13:44:00Z",
    "2020-01-01||+1M/d, false, 2020-02-01T00:00:00Z",
    "2020-01-31||+1M, false, 2020-02-29T00:00:00Z",
    "2020-01-01, true, 2020-01-01T23:59:59.999Z",
    "2020-02, true, 2020-02-01T23:59:59.999Z",
    "2020-01-01T10, true, 2020-01-01T10:59:59.999Z",
    "2020-01-01T10:30, true, 2020-01-01T10:30:59.999Z",
    "2020-01-01T10:30:15, true, 2020-01-01T10:30:15.999Z",
    "2020-01-01T10:30:15.5, true, 2020-01-01T10:30:15.500Z",
    "1577836800000, true, 2020-01-01T00:00:00Z",
  })
  void appliesDateMath(String text, boolean roundUp, String instant) {
    assertThat(Instant.ofEpochMilli(DateFormat.DEFAULT.parseMillis(text, null, roundUp, NOW)))
        .isEqualTo(Instant.parse(instant));
  }

  @ParameterizedTest
  @CsvSource({
    "yyyy-MM-dd HH:mm, 2020-01-01 10:30, 2020-01-01T10:30:59.999Z",
    "yyyy-MM, 2020-02, 2020-02-01T23:59:59.999Z",
    "date_hour_minute, 2020-01-01T9:30, 2020-01-01T09:30:59.999Z",
    "dd MMM yyyy, 01 Jan 2020, 2020-01-01T23:59:59.999Z",
  })
  void fillsMissingPartsOfAnyFormatWhenRoundingUp(String pattern, String text, String instant) {
    assertThat(Instant.ofEpochMilli(DateFormat.of(pattern).parseMillis(text, null, true, NOW)))
        .isEqualTo(Instant.parse(instant));
  }

  @Test
  void datesWithoutAZoneAreInTheRequestsZone() {
    ZoneId paris = ZoneIds.parse("Europe/Paris");

    assertThat(at("2020-07-01", paris)).isEqualTo(Instant.parse("2020-06-30T22:00:00Z"));
    assertThat(at("2020-07-01T12:00:00Z", paris)).isEqualTo(Instant.parse("2020-07-01T12:00:00Z"));
    assertThat(at("2020-07-01T12:00:00||/d", paris))
        .isEqualTo(Instant.parse("2020-06-30T22:00:00Z"));
    assertThat(
            DateFormat.DEFAULT.format(Instant.parse("2020-07-01T12:00:00Z").toEpochMilli(), paris))
        .isEqualTo("2020-07-01T14:00:00.000+02:00");
  }

  @ParameterizedTest
  @ValueSource(strings = {"now+1x", "now+", "now*1d", "now/2d", "nowish", "garbage", "2020||"})
  void refusesWrongDateMath(String text) {
    if (text.equals("2020||")) {
      assertThat(at(text, null)).isEqualTo(Instant.parse("2020-01-01T00:00:00Z"));
      return;
    }
    assertThatThrownBy(() -> at(text, null))
        .isInstanceOf(Refusal.class)
        .satisfies(
            refusal -> assertThat(((Refusal) refusal).type().type()).isEqualTo("parse_exception"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "yyyy-QQQQQQQ", "", "yyyy||"})
  void refusesWrongPatterns(String pattern) {
    assertThatThrownBy(() -> DateFormat.of(pattern)).isInstanceOf(Refusal.class);
  }

  @ParameterizedTest
  @CsvSource({
    "strict_date_optional_time, 2020-02-29T12:30:15.120Z",
    "strict_date, 2020-02-29",
    "yyyy-MM-dd HH:mm:ss, 2020-02-29 12:30:15",
    "epoch_millis, 1582979415120",
    "epoch_second, 1582979415.12",
    "basic_date_time, 20200229T123015.120Z",
    "week_date, 2020-W09-6",
    "date_time_no_millis, 2020-02-29T12:30:15Z",
  })
  void writesDates(String pattern, String text) {
    long millis = Instant.parse("2020-02-29T12:30:15.120Z").toEpochMilli();

    assertThat(DateFormat.of(pattern).format(millis, null)).isEqualTo(text);
  }

  @Test
  void namesMonthsAndDaysInItsLanguage() {
    long millis = Instant.parse("2020-05-05T00:00:00Z").toEpochMilli();
    DateFormat german = DateFormat.of("EEEE, d. MMMM uuuu", Locale.GERMAN);

    assertThat(german.format(millis, null)).isEqualTo("Dienstag, 5. Mai 2020");
    assertThat(millis(german, "Dienstag, 5. Mai 2020")).isEqualTo(millis);
    assertThat(matches(german, "Tuesday, 5. May 2020")).isFalse();
    assertThat(german.withPattern("MMMM").format(millis, null)).isEqualTo("Mai");
    assertThat(german).isNotEqualTo(DateFormat.of("EEEE, d. MMMM uuuu"));
  }

  private static Instant at(String text, @org.jspecify.annotations.Nullable ZoneId zone) {
    return Instant.ofEpochMilli(DateFormat.DEFAULT.parseMillis(text, zone, false, NOW));
  }

  private static long millis(DateFormat format, String text) {
    byte[] utf8 = ("#" + text + "#").getBytes(StandardCharsets.UTF_8);
    return format.parseMillis(utf8, 1, utf8.length - 2);
  }

  private static boolean matches(DateFormat format, String text) {
    byte[] utf8 = ("#" + text + "#").getBytes(StandardCharsets.UTF_8);
    return format.matches(utf8, 1, utf8.length - 2);
  }
}
