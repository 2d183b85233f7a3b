package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a process of its own writes: the log is set up once, by whoever asks for a logger first.
final class LogFormatTest {
  @TempDir Path folder;

  @Test
  void theFormatThatIsAskedForIsThatOfTheFirstLineAlready() throws Exception {
    Path log = folder.resolve("log");
    Path data = Files.writeString(folder.resolve("data"), "a file where the folder should be");
    ProcessBuilder start =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                NodeProcesses.classPath(),
                "dev.holdfast.node.Main",
                "start",
                "--port",
                "0",
                "--log-format",
                "json",
                "--data",
                data.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    start.environment().put("HOLDFAST_NAM", "x");

    Process process = start.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();

    List<String> lines = Files.readAllLines(log);
    List<String> objects = lines.stream().filter(line -> line.startsWith("{")).toList();
    assertThat(objects).as("%s", lines).isNotEmpty();
    assertThat(Json.parse(objects.getFirst()).path("message").asText())
        .contains("[HOLDFAST_NAM] in the environment is no setting");
  }
}
