package dev.holdfast.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Warnings are cut where they are sent, not where they are written.
final class WarningTest {
  private static String warning(String text) {
    String value = Answer.warning(text).value();
    return value.substring(value.indexOf('"') + 1, value.length() - 1);
  }

  @Test
  void longTextsAreCut() {
    assertThat(warning("a".repeat(4_000))).isEqualTo("a".repeat(4_000));
    assertThat(warning("a".repeat(4_001))).isEqualTo("a".repeat(4_000) + "...");
  }

  @Test
  void lettersOutsideOfAsciiCountAsWhatTheyBecome() {
    assertThat(warning("\u20ac".repeat(4_000))).isEqualTo("%E2%82%AC".repeat(444) + "...");
    assertThat(warning("\ud83d\ude00\"\\")).isEqualTo("%F0%9F%98%80\\\"\\\\");
  }
}
