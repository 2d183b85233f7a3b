package dev.holdfast.chaos.damage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// As many flips as fit into a test run; `./holdfast chaos bit-flips` makes more of them.
final class BitFlipsTest {
  @Test
  void noFlippedBitGivesAWrongAnswerOrAnErrorWithoutAName(@TempDir Path home) throws Exception {
    BitFlips flips = new BitFlips();
    flips.flips = Integer.getInteger("bit.flips", 40);
    flips.indices = 8;
    String result = flips.run(home);
    assertThat(flips.bad()).as(result).isEmpty();
    assertThat(flips.seen()).as(result).isPositive();
  }
}
