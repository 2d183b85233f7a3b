package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/// What the command line answers to wrong use: one line and a status.
final class CommandLineTest {
  @Test
  void refusesWrongUseInOneLine() {
    assertThat(run("start", "--prt", "9"))
        .startsWith("2 holdfast: Unknown option")
        .contains("--port?");
    assertThat(run("start", "-E", "node.nam=x")).contains("did you mean [node.name]?");
    assertThat(run("start", "--port", "x")).startsWith("2 holdfast: bad value [x]");
    assertThat(run("start", "--config", "/nowhere.yml"))
        .startsWith("2 holdfast: cannot read the settings file");
  }

  @Test
  void tellsItsVersion() {
    assertThat(run("--version")).matches("0 holdfast \\d+\\.\\d+\\.\\d+\n");
  }

  private static String run(String... arguments) {
    StringWriter said = new StringWriter();
    int status = Main.run(new PrintWriter(said), arguments);
    String text = said.toString();
    assertThat(text.lines().count()).as(text).isEqualTo(1);
    return status + " " + text;
  }
}
