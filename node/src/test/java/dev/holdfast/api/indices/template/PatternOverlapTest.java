package dev.holdfast.api.indices.template;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PatternOverlapTest {
  @Test
  void findsANameThatBothMean() {
    assertThat(PatternOverlap.of("logs-*", "logs-web-*")).isTrue();
    assertThat(PatternOverlap.of("*-web", "logs-*")).isTrue();
    assertThat(PatternOverlap.of("a*b*c", "*x*")).isTrue();
    assertThat(PatternOverlap.of("same", "same")).isTrue();
    assertThat(PatternOverlap.of("*", "")).isTrue();
  }

  @Test
  void findsNoneWhereThereIsNone() {
    assertThat(PatternOverlap.of("logs-*", "metrics-*")).isFalse();
    assertThat(PatternOverlap.of("*a", "*b")).isFalse();
    assertThat(PatternOverlap.of("ab", "a")).isFalse();
    assertThat(PatternOverlap.of("a*", "")).isFalse();
  }
}
