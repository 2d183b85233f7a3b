package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.clusterstate.Build;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Formats;
import dev.holdfast.script.ScriptRules;
import dev.holdfast.script.context.ScoreScript;
import dev.holdfast.settings.Setting;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
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

  /// A slip of the pen had let scripts run nowhere; a beat of a nanosecond keeps a processor.
  @Test
  void refusesWhatMeansNothing() {
    assertThat(run("start", "-E", "script.allowed_contexts=score,updat", "-E", "store=memory:"))
        .startsWith("2 holdfast: setting [script.allowed_contexts] names [updat]");
    assertThat(run("start", "-E", "cluster.beat_every=1nanos")).contains("it is less than 1ms");
  }

  /// They were fifty classes of each start's.
  @Test
  void whoNamesNoContextOfScriptsLoadsNone() throws Exception {
    Process reading =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-Xlog:class+load",
                "-cp",
                System.getProperty("java.class.path"),
                Reading.class.getName())
            .redirectErrorStream(true)
            .start();
    String loaded = new String(reading.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(reading.waitFor()).as(loaded).isZero();
    assertThat(loaded)
        .contains(ScriptRules.class.getName())
        .doesNotContain(ScoreScript.class.getName());
  }

  /// Reads the settings of a node that has none.
  static final class Reading {
    private Reading() {}

    public static void main(String[] arguments) {
      var _ = StartCommand.settings(Map.of("store", "memory:"), null);
    }
  }

  @Test
  void refusesASettingThatIsGivenTwice() {
    String twice = "2 holdfast: setting [port] is given twice on the command line";
    assertThat(run("start", "--port", "0", "-E", "port=1")).startsWith(twice);
    assertThat(run("start", "-E", "port=0", "-E", "port=1")).startsWith(twice);
    assertThat(run("store", "check", "-E", "port=0", "-E", "http.port=1")).startsWith(twice);
    assertThat(run("start", "-E", "port"))
        .startsWith("2 holdfast: -E takes name=value, not [port]");
  }

  @Test
  void sendsPeopleToTheHelpOfTheirCommand() {
    assertThat(run("start", "--prt")).endsWith("(see holdfast start --help)\n");
    assertThat(run("store", "check", "--prt")).endsWith("(see holdfast store check --help)\n");
    assertThat(run("store", "chek")).endsWith("did you mean check? (see holdfast store --help)\n");
    assertThat(run("strat")).endsWith("did you mean start? (see holdfast --help)\n");
  }

  @Test
  void tellsItsVersion() {
    assertThat(run("--version")).matches("0 holdfast \\d+\\.\\d+\\.\\d+\n");
  }

  @Test
  void theHelpOfStartNamesEverySetting() {
    String help = said("start", "--help");
    assertThat(help).startsWith("0 Usage: holdfast start").contains("a size, or 10% of the heap");
    for (Setting setting : Setting.ALL) {
      String name = setting.name();
      String option = "--" + name.replace("log.format", "log-format");
      assertThat(help.contains("\n  " + name + " ") || help.contains(option)).as(name).isTrue();
    }
  }

  private static String run(String... arguments) {
    String text = said(arguments);
    assertThat(text.lines().count()).as(text).isEqualTo(1);
    return text;
  }

  /// The exit status, and what was said.
  private static String said(String... arguments) {
    StringWriter said = new StringWriter();
    int status = Main.run(new PrintWriter(said), arguments);
    return status + " " + said;
  }

  /// To start it again would be refused again.
  @Test
  void aBuildThatDoesNotSpeakWhatItsClusterDoesNeedsAPerson() {
    Build later = new Build("later", 90, 99);
    Throwable refused = catchThrowable(() -> Formats.require(ClusterState.empty("cluster"), later));

    assertThat(StartFailure.sentence(refused))
        .startsWith("the cluster speaks version 0 of its formats, this node speaks 90 to 99");
    assertThat(StartFailure.isHelpless(refused)).isTrue();
    assertThat(StartFailure.isHelpless(new IOException("by the leader", refused))).isTrue();
    assertThat(StartFailure.isHelpless(new IOException("unreachable"))).isFalse();
  }
}
