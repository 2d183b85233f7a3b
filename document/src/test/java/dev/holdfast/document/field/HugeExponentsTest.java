package dev.holdfast.document.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.document.BatchBuilder.Outcome;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.FieldType.Range;
import dev.holdfast.document.MappedTestIndex;
import dev.holdfast.document.field.number.DecimalNumbers;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Numbers of a few letters whose digits no memory holds.
final class HugeExponentsTest {
  @ParameterizedTest
  @CsvSource({
    "1e-600000000, 0, 1",
    "-1e-600000000, -1, 0",
    "0e-600000000, 0, 0",
    "1e600000000, 1, 1",
    "12.5, 12, 13",
    "-12.5, -13, -12",
  })
  void areCutAtOnce(String text, String floor, String ceiling) {
    BigDecimal number = DecimalNumbers.of(text);

    assertThat(number.scale()).isBetween(-2_000, 2_000);
    if (!text.contains("e6")) {
      assertThat(number.setScale(0, RoundingMode.FLOOR)).hasToString(floor);
      assertThat(number.setScale(0, RoundingMode.CEILING)).hasToString(ceiling);
    }
  }

  @Test
  void textsOfVeryManyDigitsAreNoNumbers() {
    assertThatThrownBy(() -> DecimalNumbers.of("1".repeat(100_000)))
        .isInstanceOf(NumberFormatException.class);
    assertThat(DecimalNumbers.of("1".repeat(1_000)).precision()).isEqualTo(1_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"long", "integer", "short", "byte", "unsigned_long"})
  void documentsAndQueriesWithThemAreRead(String type) throws IOException {
    try (MappedTestIndex index =
        new MappedTestIndex("{\"properties\":{\"f\":{\"type\":\"" + type + "\"}}}")) {
      index.with("{\"f\":1e-600000000}", "{\"f\":\"1e-600000000\"}", "{\"f\":1}");
      FieldType field = index.type("f");

      assertThat(index.add("{\"f\":\"1e600000000\"}")).isInstanceOf(Outcome.Refused.class);
      assertThat(index.term("f", "0")).containsExactly(0, 1);
      assertThat(index.find(field.rangeQuery("f", range("\"1e-600000000\"", null), 0)))
          .containsExactly(2);
      assertThat(index.find(field.rangeQuery("f", range(null, "\"1e-600000000\""), 0)))
          .containsExactly(0, 1);
      assertThat(index.find(field.rangeQuery("f", range("1e999", null), 0))).isEmpty();
      assertThat(index.find(field.rangeQuery("f", range(null, "1e999"), 0)))
          .containsExactly(0, 1, 2);
    }
  }

  private static Range range(@Nullable String from, @Nullable String to) {
    return new Range(
        from == null ? null : Json.parse(from),
        true,
        to == null ? null : Json.parse(to),
        true,
        null,
        null);
  }
}
