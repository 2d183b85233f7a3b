package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// How real processes end, and what they say of it: what a supervisor and an operator see.
@EnabledOnOs({OS.LINUX, OS.MAC})
class ProcessEndTest {
  private static final int TERMINATED = 128 + 15;
  private static final int STARTED_MAX_SECONDS = 120;
  private static final int ENDED_MAX_SECONDS = 60;

  @TempDir Path folder;
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void killAll() throws Exception {
    for (Process process : processes) {
      process.destroyForcibly();
      process.waitFor();
    }
  }

  private Process start(String name, String roles) throws Exception {
    Path log = log(name);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dio.netty.allocator.type=pooled",
                "-cp",
                classPath(),
                "dev.holdfast.node.Main",
                "start",
                "--port",
                "0",
                "--roles",
                roles,
                "--data",
                folder.resolve(name).toString(),
                "--store",
                "file:" + folder.resolve("store"))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    processes.add(process);
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(STARTED_MAX_SECONDS);
    while (said(name).stream().noneMatch(line -> line.contains("ready on http://"))) {
      assertThat(process.isAlive()).as("%s", said(name)).isTrue();
      assertThat(System.nanoTime()).isLessThan(endNanos);
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return process;
  }

  /// Of the product, without what tests add: it logs as in earnest.
  private static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.contains("test-classes") && !entry.endsWith("-tests.jar"))
        .filter(entry -> !entry.contains(File.separator + "test" + File.separator))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private Path log(String name) {
    return folder.resolve(name + ".log");
  }

  private List<String> said(String name) throws IOException {
    return Files.exists(log(name)) ? Files.readAllLines(log(name)) : List.of();
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
}
