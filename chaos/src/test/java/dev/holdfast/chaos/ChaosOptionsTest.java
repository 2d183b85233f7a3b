package dev.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// What it is told wrongly it refuses before it starts anything.
final class ChaosOptionsTest {
  @Test
  void aStoreThatNobodyKnowsIsRefused() {
    StringWriter said = new StringWriter();
    int status =
        new CommandLine(new Chaos())
            .setErr(new PrintWriter(said, true))
            .execute("--store", "S3", "--rounds", "0");
    assertThat(status).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(said.toString()).contains("--store is file or s3, not [S3]");
  }
}
