package dev.holdfast.world;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RefusalTest {
  @Test
  void aReasonThatNobodyReadsToItsEndIsCut() {
    String whole = "x".repeat(Refusal.REASON_MAX);

    assertThat(Refusal.badArgument(whole).reason()).isEqualTo(whole);
    assertThat(Refusal.badArgument(whole + "y").reason()).isEqualTo(whole + "…");
  }

  @Test
  void noCharacterIsCutInHalf() {
    String before = "x".repeat(Refusal.REASON_MAX - 1);

    assertThat(Refusal.badArgument(before + "😀").reason()).isEqualTo(before + "…");
  }
}
