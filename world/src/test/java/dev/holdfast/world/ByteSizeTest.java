package dev.holdfast.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sizes as people write them.
final class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({"0, 0", "100b, 100", "1kb, 1024", "1.5K, 1536", "' 2 mb ', 2097152", "0gb, 0"})
  void sizesHaveUnits(String text, long bytes) {
    assertThat(ByteSize.parse("a.setting", text).bytes()).isEqualTo(bytes);
    assertThat(ByteSize.isSize(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "10", "mb", "ten mb", "-5mb", "-0.5kb", "-1b", "NaNmb", "-Infinitygb"})
  void othersAreRefusedWithTheNameOfTheSetting(String text) {
    assertThatThrownBy(() -> ByteSize.parse("a.setting", text))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("a.setting");
    assertThat(ByteSize.isSize(text)).isFalse();
  }

  @Test
  void whatIsBelowNothingIsSaidSo() {
    assertThatThrownBy(() -> ByteSize.parse("a.setting", "-5mb"))
        .hasMessageContaining("values less than 0 bytes are not supported");
  }
}
