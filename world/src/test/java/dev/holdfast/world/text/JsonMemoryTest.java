package dev.holdfast.world.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonMemoryTest {
  private static long ofText(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return JsonMemory.ofText(bytes, 0, bytes.length);
  }

  @Test
  void emptyObjectsTakeFarMoreThanTheirText() {
    assertThat(ofText("[" + "{},".repeat(1000) + "{}]")).isBetween(70_000L, 150_000L);
    assertThat(ofText("[" + "\"a\",".repeat(1000) + "\"a\"]")).isBetween(50_000L, 120_000L);
    assertThat(ofText("[".repeat(1000))).isBetween(50_000L, 150_000L);
  }

  @Test
  void aLongTextTakesAFewTimesItsLetters() {
    assertThat(ofText("\"" + "x".repeat(1_000_000) + "\"")).isBetween(2_000_000L, 5_000_000L);
    assertThat(ofText("\"" + "{[,:".repeat(250_000) + "\"")).isBetween(2_000_000L, 5_000_000L);
    assertThat(ofText("\"" + "\\\"{,".repeat(250_000) + "\"")).isBetween(2_000_000L, 5_000_000L);
  }

  /// Else what follows would be taken for one long text.
  @ParameterizedTest
  @ValueSource(strings = {"/*\"*/", "//\"\n", "//\"\r", "/**\"/**/", "/*/\"*/", "/**/"})
  void quotesInCommentsBeginNoText(String comment) {
    assertThat(ofText(comment + "[" + "{},".repeat(1000) + "{}]")).isBetween(70_000L, 150_000L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/*", "/* *", "//", "[1 / 2]", "/*/"})
  void commentsThatDoNotEndAreMeasured(String text) {
    assertThat(ofText(text)).isBetween(0L, 500L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"", "\"\\", "\"abc\\", "{\"a", "\\", ""})
  void whatIsMalformedIsMeasured(String text) {
    assertThat(ofText(text)).isBetween(0L, 500L);
  }

  /// Numbers and names are counted more roughly than the rest.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"query\":{\"bool\":{\"must\":[{\"match\":{\"text\":\"red green\"}},{\"exists\":{}}]}}}",
        "[[],[[]],{},{\"a\":null,\"b\":true,\"c\":1.5},\"text\"]",
        "{}",
        "\"text\""
      })
  void aTreeIsMeasuredAsItsTextIs(String text) {
    assertThat(JsonMemory.of(Json.parse(text))).isBetween(ofText(text) / 3, ofText(text));
  }
}
