package dev.holdfast.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DrawHouseTest {
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final PrintStream to = new PrintStream(said, true, StandardCharsets.UTF_8);

  /// It had drawn into a file called `--help`.
  @Test
  void anOptionIsNoFile() throws Exception {
    assertThat(DrawHouse.run(to, to, "--help")).isZero();
    assertThat(said.toString(StandardCharsets.UTF_8)).startsWith("./holdfast house [FILE.svg]");
    assertThat(DrawHouse.run(to, to, "--svg", "a.svg")).isEqualTo(2);
    assertThat(DrawHouse.run(to, to, "a.svg", ".", "b")).isEqualTo(2);
    assertThat(Path.of("--help")).doesNotExist();
    assertThat(Path.of("a.svg")).doesNotExist();
  }
}
