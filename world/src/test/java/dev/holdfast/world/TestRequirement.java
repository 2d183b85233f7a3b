package dev.holdfast.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.function.Supplier;

/// What a test needs of the machine: a server or a client that must be installed. A developer who
/// lacks it skips the test; in continuous integration (`CI` in the environment) nothing is skipped.
public final class TestRequirement {
  private TestRequirement() {}

  /// @param why what is missing, and why
  public static void require(boolean isMet, Supplier<String> why) {
    require(isMet, why, System.getenv("CI") != null);
  }

  static void require(boolean isMet, Supplier<String> why, boolean isIntegration) {
    if (isIntegration) {
      assertThat(isMet).as(why).isTrue();
    }
    assumeTrue(isMet, why::get);
  }
}
