package dev.holdfast.document.ingest.processor.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.Refusal;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DateNotationTest {
  private static final Instant NOW = Instant.parse("2024-06-01T00:00:00Z");

  private static Instant read(String format, Locale locale, String text) {
    return DateNotation.of(format, locale)
        .read(text, ZoneId.of("Europe/Berlin"), NOW.toEpochMilli());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          MMM d HH:mm:ss | Mar 6 10:11:12 | 2024-03-06T09:11:12Z
          MMM d HH:mm:ss | Feb 29 00:00:00 | 2024-02-28T23:00:00Z
          MMM d HH:mm:ss XXX | Mar 6 10:11:12 -01:00 | 2024-03-06T11:11:12Z
          d/M | 1/7 | 2024-06-30T22:00:00Z
          yyyy MMM d | 2001 Mar 6 | 2001-03-05T23:00:00Z
          strict_date | 2001-03-06 | 2001-03-05T23:00:00Z
          8d/M | 1/7 | 2024-06-30T22:00:00Z
          'strict_date||MMM d HH:mm:ss' | Mar 6 10:11:12 | 2024-03-06T09:11:12Z
          'strict_date||MMM d HH:mm:ss' | 2001-03-06 | 2001-03-05T23:00:00Z
          """)
  void aTextWithoutAYearIsOfThisYear(String format, String text, String instant) {
    assertThat(read(format, Locale.ENGLISH, text)).isEqualTo(instant);
  }

  @Test
  void soItIsInOtherLanguages() {
    for (String format : List.of("d. MMMM HH:mm", "8d. MMMM HH:mm", "yyyy||d. MMMM HH:mm")) {
      assertThat(read(format, Locale.GERMAN, "6. Juni 10:00"))
          .as(format)
          .isEqualTo("2024-06-06T08:00:00Z");
    }
  }

  @Test
  void namedFormatsAreTheSameInAllLanguages() {
    for (Locale locale : List.of(Locale.ENGLISH, Locale.UK, Locale.GERMAN)) {
      assertThat(read("strict_date", locale, "2001-03-06")).isEqualTo("2001-03-05T23:00:00Z");
    }
  }

  @Test
  void nanosecondsStay() {
    assertThat(read("ISO8601", Locale.ENGLISH, "2001-03-06T00:00:00.123456789Z"))
        .isEqualTo("2001-03-06T00:00:00.123456789Z");
    assertThat(read("ISO8601", Locale.ENGLISH, "1901-03-06T00:00:00.123456789Z"))
        .isEqualTo("1901-03-06T00:00:00.123Z");
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "-Infinity", "1e999", "9e307"})
  void whatIsNoFiniteNumberOfSecondsIsNoDate(String text) {
    assertThatThrownBy(() -> read("UNIX", Locale.ENGLISH, text))
        .isInstanceOf(Refusal.class)
        .hasMessage("failed to parse date [" + text + "]");
  }

  @Test
  void aFormIsMadeOnce() {
    DateNotations notations = new DateNotations();

    assertThat(notations.of("d/M", Locale.GERMAN)).isSameAs(notations.of("d/M", Locale.GERMAN));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pear", "xx", "de_XY"})
  void languagesThatThereAreNotAreRefused(String name) {
    assertThatThrownBy(() -> DateNotations.locale(name)).isInstanceOf(Refusal.class);
  }

  @Test
  void whatIsNoDateIsToldAsItWasSent() {
    assertThatThrownBy(() -> read("MMM d HH:mm:ss", Locale.ENGLISH, "Mar 32 10:11:12"))
        .isInstanceOf(Refusal.class)
        .hasMessage("failed to parse date [Mar 32 10:11:12]");
  }
}
