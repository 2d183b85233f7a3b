package dev.holdfast.document.field.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class VectorLengthTest {
  @Test
  void itIsTheSumOfSquaresWithinFloats() {
    assertThat(VectorLength.squared(new float[] {3, 4})).isEqualTo(25);
    assertThat(VectorLength.squared(new float[] {3e16f, 4e16f})).isBetween(2.49e33f, 2.51e33f);
  }

  @Test
  void beyondFloatsItIsInfinite() {
    assertThat(VectorLength.squared(new float[] {-1e30f, 1})).isInfinite();
    float[] many = new float[4096];
    Arrays.fill(many, 1e18f);
    assertThat(VectorLength.squared(many)).isInfinite();
    Arrays.fill(many, 1e16f);
    assertThat(VectorLength.squared(many)).isFinite();
  }
}
