package dev.holdfast.world;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

final class TestRequirementTest {
  @Test
  void whatIsMissingSkipsATestButFailsInContinuousIntegration() {
    assertThatThrownBy(() -> TestRequirement.require(false, () -> "no npm", false))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("no npm");
    assertThatThrownBy(() -> TestRequirement.require(false, () -> "no npm", true))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("no npm");
    TestRequirement.require(true, () -> "", true);
  }
}
