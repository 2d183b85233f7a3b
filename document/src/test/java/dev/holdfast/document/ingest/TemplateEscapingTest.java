package dev.holdfast.document.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class TemplateEscapingTest {
  /// Memory is asked for by it before the text is made.
  @ParameterizedTest
  @EnumSource
  void itIsKnownBeforeHowLongATextBecomes(TemplateEscaping escaping) {
    for (String text : new String[] {"", "plain", "\u0001\n\"\\", "ä€𝄞 &=.-*_", "x".repeat(9)}) {
      assertThat((long) escaping.of(text).length())
          .as(text)
          .isLessThanOrEqualTo(text.length() + escaping.added(text));
      assertThat(escaping.added("plain")).isZero();
    }
  }
}
