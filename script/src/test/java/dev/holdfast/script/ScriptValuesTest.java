package dev.holdfast.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.script.compile.Compiler;
import dev.holdfast.script.context.BucketScript;
import dev.holdfast.script.type.Allowlist;
import dev.holdfast.script.value.GeoPoint;
import dev.holdfast.world.Refusal;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptValuesTest {
  /// As Elasticsearch writes what a script answers or puts into a document, by an oracle.
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "new Date(0L) ; \"1970-01-01T00:00:00.000Z\"",
        "Instant.ofEpochMilli(0L) ; \"1970-01-01T00:00:00.000Z\"",
        "Instant.ofEpochSecond(0L, 123456789L) ; \"1970-01-01T00:00:00.123456789Z\"",
        "ZonedDateTime.parse('2020-01-01T00:00:00.123456+02:00') ;"
            + " \"2020-01-01T00:00:00.123456+02:00\"",
        "OffsetDateTime.parse('2020-01-01T00:00:00+02:00') ; \"2020-01-01T00:00:00.000+02:00\"",
        "LocalDateTime.parse('2020-01-01T00:00:00') ; \"2020-01-01T00:00:00.000Z\"",
        "LocalTime.parse('10:00:00') ; \"10:00:00.000\"",
        "OffsetTime.parse('10:00:00+01:00') ; \"10:00:00.000+01:00\"",
        "LocalDate.parse('2020-01-01') ; \"2020-01-01\"",
        "Year.of(2020) ; \"2020\"",
        "Duration.ofDays(1) ; \"PT24H\"",
        "Period.ofMonths(13) ; \"P13M\"",
        "DayOfWeek.MONDAY ; \"MONDAY\"",
        "Locale.US ; \"en_US\"",
        "params.place ; {\"lat\":1.5,\"lon\":2.5}",
        "'abc'.charAt(1) ; REFUSED",
        "YearMonth.of(2020, 1) ; REFUSED",
        "ZoneId.of('Europe/Berlin') ; REFUSED",
        "[1].stream() ; REFUSED",
        "params ; REFUSED",
      })
  void isWritten(String source, String json) {
    Map<String, Object> params =
        new AbstractMap<>() {
          @Override
          public @Nullable Object get(Object name) {
            return new GeoPoint(1.5, 2.5);
          }

          @Override
          public Set<Entry<String, Object>> entrySet() {
            throw new UnsupportedOperationException("asked by name only");
          }
        };
    String written;
    try {
      written = ScriptValues.json(PainlessTest.run(source, params)).toString();
    } catch (Refusal e) {
      assertThat(e.type().status()).isEqualTo(400);
      written = "REFUSED";
    }

    assertThat(written).isEqualTo(json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "u    | 943403.4913579639",
        "u281 | 22354.528641603203",
      })
  void measuresToTheCornersOfCells(String cell, double meters) {
    assertThat(new GeoPoint(48.09999999124557, 11.499999985098839).toCell(cell))
        .isCloseTo(meters, within(0.001));
  }

  @Test
  void whatABucketIsWorthIsANumber() {
    assertThatThrownBy(() -> Compiler.compile("'x'", BucketScript.SHAPE, Allowlist.standard()))
        .isInstanceOf(Refusal.class)
        .rootCause()
        .hasMessage("Cannot cast from [java.lang.String] to [java.lang.Number].");
  }
}
