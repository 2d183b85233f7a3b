package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `scripts/launch`: which heap a node gets, read as the node itself reads the setting.
@Timeout(60)
final class LaunchScriptTest {
  private static final Path SCRIPT = Path.of("../scripts/launch").toAbsolutePath();

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @CsvSource({
    "2g, 2048",
    "2GB, 2048",
    "512m, 512",
    "1.5g, 1536",
    ".5g, 512",
    "1048576k, 1024",
    "1073741824b, 1024",
    "0.25tb, 262144",
    "2 g, 2048",
    "512, ''",
    "much, ''",
    "-1g, ''"
  })
  void everySizeIsUnderstoodThatANodeUnderstands(String size, String mebibytes) throws Exception {
    assertThat(heap(Map.of(), "--heap", size)).isEqualTo(mebibytes);
    assertThat(heap(Map.of("HOLDFAST_HEAP", size))).isEqualTo(mebibytes);
    Files.writeString(folder.resolve("holdfast.yml"), "port: 1\nheap: " + size + "\n");
    assertThat(heap(Map.of())).isEqualTo(mebibytes);
  }

  @Test
  void theCommandLineWinsThenTheEnvironmentThenTheFile() throws Exception {
    Path file = Files.writeString(folder.resolve("a.yml"), "heap : \"3g\" # much\n");
    Map<String, String> environment =
        Map.of("HOLDFAST_HEAP", "2g", "HOLDFAST_CONFIG", file.toString());
    assertThat(heap(environment, "-E", "heap=1g")).isEqualTo("1024");
    assertThat(heap(environment, "-Eheap=1g")).isEqualTo("1024");
    assertThat(heap(environment, "--heap=1g")).isEqualTo("1024");
    assertThat(heap(environment)).isEqualTo("2048");
    assertThat(heap(Map.of(), "--config", file.toString())).isEqualTo("3072");
    assertThat(heap(Map.of("HOLDFAST_CONFIG", file.toString()))).isEqualTo("3072");
    assertThat(heap(Map.of())).isEmpty();
  }

  /// In MiB; empty for none that it understands.
  private String heap(Map<String, String> environment, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("bash", "-euo", "pipefail", "-c", ". \"$0\"; heap_asked \"$@\""));
    command.add(SCRIPT.toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said.strip();
  }
}
