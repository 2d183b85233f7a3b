package dev.holdfast.chaos.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The build that this one must work together with can be built: `./holdfast chaos upgrade` needs
/// it.
final class EarlierBuildTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @Test
  void theHistoryHasIt() throws Exception {
    assumeTrue(Files.exists(ROOT.resolve(".git")), "sources without their history");

    assertThat(EarlierBuild.isInHistory(ROOT, EarlierBuild.COMMIT))
        .as(
            "the history has no commit %s: fetch it (git fetch --unshallow), or pin another",
            EarlierBuild.COMMIT)
        .isTrue();
  }
}
