package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// How real processes end, and what they say of it: what a supervisor and an operator see.
@EnabledOnOs({OS.LINUX, OS.MAC})
class ProcessEndTest {
  private static final int TERMINATED = 128 + 15;
  private static final int ENDED_MAX_SECONDS = 60;

  @TempDir Path folder;
  private NodeProcesses nodes;

  @BeforeEach
  void prepare() {
    nodes = new NodeProcesses(folder, "256m");
  }

  @AfterEach
  void killAll() throws Exception {
    nodes.close();
  }

  private Process start(String name, String roles) throws Exception {
    return nodes.start(name, roles);
  }

  private List<String> said(String name) throws IOException {
    return nodes.said(name);
  }

  private static void signal(Process process, String signal) throws Exception {
    assertThat(
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor())
        .isZero();
  }

  private static int end(Process process) throws Exception {
    assertThat(process.waitFor(ENDED_MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Test
  void aNodeThatIsStoppedSaysSoInAFewLines() throws Exception {
    Process all = start("all", "all");
    Process proxy = start("proxy", "proxy");

    signal(proxy, "TERM");
    assertThat(end(proxy)).isEqualTo(TERMINATED);
    signal(all, "TERM");
    assertThat(end(all)).isEqualTo(TERMINATED);

    for (String name : List.of("all", "proxy")) {
      assertThat(said(name)).hasSizeLessThan(12).noneMatch(line -> line.startsWith("\tat "));
      assertThat(said(name)).noneMatch(line -> line.contains("ERROR") || line.contains("WARN"));
      assertThat(said(name).getLast()).contains("stopped");
    }
  }

  @Test
  void aNodeThatWasEvictedEndsWithAnErrorAndSaysSoInAFewLines() throws Exception {
    Process leader = start("leader", "all");
    Process evicted = start("evicted", "index,search");

    signal(evicted, "STOP");
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(ENDED_MAX_SECONDS);
    while (said("leader").stream().noneMatch(line -> line.contains("evicting a member"))) {
      assertThat(System.nanoTime()).as("%s", said("leader")).isLessThan(endNanos);
      TimeUnit.MILLISECONDS.sleep(50);
    }
    signal(evicted, "CONT");

    assertThat(end(evicted)).isEqualTo(1);
    assertThat(said("evicted")).hasSizeLessThan(20).noneMatch(line -> line.startsWith("\tat "));
    assertThat(said("evicted")).anyMatch(line -> line.contains("no longer a member"));
    assertThat(leader.isAlive()).isTrue();
  }

  /// With 143 a supervisor would leave it, as if somebody had stopped it.
  @Test
  void aNodeThatWasEvictedIsStartedAgainHoweverLongItsStopTakes() {
    assertThat(NodeLauncher.lateStatus("it was cut off")).isEqualTo(1);
    assertThat(NodeLauncher.lateStatus(null)).isEqualTo(TERMINATED);
  }
}
