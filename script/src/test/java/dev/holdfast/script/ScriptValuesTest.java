package dev.holdfast.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.script.compile.Compiler;
import dev.holdfast.script.context.BucketScript;
import dev.holdfast.script.type.Allowlist;
import dev.holdfast.script.value.GeoPoint;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    Object value = PainlessTest.run(source, params);

    assertThat(written(() -> ScriptValues.json(value).toString())).isEqualTo(json);
    assertThat(written(() -> text(ScriptValues.bytes(Collections.singletonMap("v", value)))))
        .isEqualTo(json.equals("REFUSED") ? json : "{\"v\":" + json + "}");
  }

  private static String written(Supplier<String> how) {
    try {
      return how.get();
    } catch (Refusal e) {
      assertThat(e.type().status()).isEqualTo(400);
      return "REFUSED";
    }
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }

  /// What a script leaves of a document is written as its tree would be.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "['a': 1, 'b': [null, true, 'x', 1L, 1.5, 1.5f, (short) 1, (byte) 2, new Date(0L)]]",
        "[1: 'a', '1': 'b', 'x': [2.0: 'c']]",
        "['d': 1e300, 'e': 0.1 + 0.2, 'f': -0.0, 'n': Double.NaN, 'i': Double.MAX_VALUE * 2]",
        "['b': new BigInteger('123456789012345678901234567890'), 'c': new BigDecimal('1.500')]",
        "['s': 'é\uD83D\uDE00\u0001\"', 'e': '', 'k': ['': 1, 'é': 2]]",
        "['i': new int[] {1, 2}, 'o': new def[] {'a', [3]}, 's': new HashSet([7])]",
        "[null: 1]",
        "def m = [:]; m.m = m; return m",
        "def l = []; for (int i = 0; i < 600; ++i) { l = [l] } return ['l': l]",
      })
  void whatIsLeftOfADocumentIsWrittenAsItsTree(String source) {
    Map<?, ?> left = (Map<?, ?>) Objects.requireNonNull(PainlessTest.run(source, Map.of()));

    String tree = written(() -> text(Json.bytes(ScriptValues.json(left))));

    assertThat(written(() -> text(ScriptValues.bytes(left)))).isEqualTo(tree);
  }

  /// A document is read as its tree would be.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\": 1, \"b\": 5000000000, \"c\": 1.5, \"d\": 1e400, \"e\": 123456789012345678901234567890}",
        "{\"o\": {\"l\": [1, [], {}, null, \"x\", true, [2.25]]}, \"\": {}, \"n\": null, \"f\": false}",
        " {} ",
        "{\"a\": 1, \"a\": 2}",
        "{\"a\": [1, 2",
        "{\"a\": 1} 2",
        "[1]",
        "[1",
        "7",
        "",
      })
  void aDocumentIsReadAsItsTree(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    String tree = written(() -> shown(ScriptValues.map(Json.parseObject(bytes, 0, bytes.length))));

    assertThat(written(() -> shown(ScriptJson.read(bytes, 0, bytes.length)))).isEqualTo(tree);
  }

  /// Values with their classes, in order.
  private static String shown(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case LinkedHashMap<?, ?> map ->
          map.entrySet().stream()
              .map(member -> member.getKey() + "=" + shown(member.getValue()))
              .toList()
              .toString();
      case ArrayList<?> list -> "list" + list.stream().map(ScriptValuesTest::shown).toList();
      default -> value.getClass().getSimpleName() + " " + value;
    };
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
