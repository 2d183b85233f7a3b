package dev.holdfast.node.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.clusterstate.ClusterConfig;
import dev.holdfast.world.TestRequirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The unit of systemd agrees with what a process does when it ends, and systemd understands it.
final class ServiceUnitTest {
  private static final Path UNIT = Path.of("../deploy/systemd/holdfast.service");
  private static final Duration STOP_REST = Duration.ofSeconds(10);

  @TempDir private Path folder = Path.of("");

  @Test
  void itStartsAgainWhatTheExitStatusesSay() throws Exception {
    Map<String, String> unit = unit();
    List<String> table =
        Files.readAllLines(Path.of("../docs/operating.md")).stream()
            .dropWhile(line -> !line.equals("| exit status | means | a supervisor |"))
            .skip(2)
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    assertThat(table).hasSize(6);
    for (String line : table) {
      String[] cells = line.split("\\|");
      String status = cells[1].strip();
      boolean isStartedAgain = cells[3].strip().startsWith("starts it again");
      boolean isLeft =
          status.equals(unit.get("SuccessExitStatus"))
              || List.of(unit.getOrDefault("RestartPreventExitStatus", "").split(" "))
                  .contains(status);
      assertThat(isLeft).as("exit status %s", status).isEqualTo(!isStartedAgain);
    }
    assertThat(unit).containsEntry("Restart", "on-failure");
    assertThat(Duration.ofSeconds(Long.parseLong(unit.getOrDefault("TimeoutStopSec", ""))))
        .isGreaterThan(ClusterConfig.defaults().drainMax().plus(STOP_REST));
  }

  @Test
  void systemdUnderstandsIt() throws Exception {
    // what it starts need not be installed here
    Path copy = folder.resolve("holdfast.service");
    Files.writeString(
        copy,
        Files.readString(UNIT)
            .replace("ExecStart=/opt/holdfast/bin/holdfast", "ExecStart=/bin/true"));
    Process process;
    try {
      process =
          new ProcessBuilder("systemd-analyze", "verify", copy.toString())
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      TestRequirement.require(false, () -> "systemd-analyze is missing");
      return;
    }
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said.lines().filter(line -> line.contains("holdfast"))).isEmpty();
  }

  private static Map<String, String> unit() throws Exception {
    Map<String, String> unit = new TreeMap<>();
    for (String line : Files.readAllLines(UNIT)) {
      int equals = line.indexOf('=');
      if (equals > 0 && !line.startsWith("#")) {
        unit.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return unit;
  }
}
