package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `scripts/launch`: which heap a node gets, read as the node itself reads the setting, and by
/// which limits where it is not said; which builds go.
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

  /// Without it the machine leaves stack and message out of errors that are thrown often, and with
  /// them where a script failed.
  @Test
  void errorsThatAreThrownOftenKeepTheirStack() throws Exception {
    assertThat(said(Map.of(), "common_options").lines()).contains("-XX:-OmitStackTraceInFastThrow");
  }

  /// Else a unit with `MemoryMax` would have a heap by the machine's memory.
  @Test
  void limitsOfEachGroupThatTheProcessIsInCount() throws Exception {
    Path group = Files.writeString(folder.resolve("cgroup"), "0::/system.slice/a.service\n");
    assertThat(said(Map.of(), "memory_limits", group.toString(), "/c").lines())
        .containsExactly(
            "/c/system.slice/a.service/memory.max",
            "/c/system.slice/memory.max",
            "/c/memory.max",
            "/c/memory/memory.limit_in_bytes");
    Files.writeString(group, "0::/\n"); // as a container sees it
    String own = "/c/memory.max\n/c/memory/memory.limit_in_bytes";
    assertThat(said(Map.of(), "memory_limits", group.toString(), "/c")).isEqualTo(own);
    assertThat(said(Map.of(), "memory_limits", "/nowhere", "/c")).isEqualTo(own);
  }

  /// A path is no list of words: what lies beside the sources is not removed with old builds.
  @Test
  void oldBuildsGoAndNothingElse() throws Exception {
    Path made = Files.createDirectories(folder.resolve("my sources").resolve(".build"));
    Path beside = Files.createDirectories(folder.resolve("my"));
    for (int build = 1; build <= 5; build++) {
      Path app = Files.createDirectories(made.resolve("app-" + build));
      Files.setLastModifiedTime(app, FileTime.fromMillis(build * 10_000L));
    }
    assertThat(said(Map.of(), "remove_old", made.toString())).isEmpty();
    assertThat(beside).exists();
    try (Stream<Path> left = Files.list(made)) {
      assertThat(left.map(one -> one.getFileName().toString()))
          .containsExactlyInAnyOrder("app-3", "app-4", "app-5");
    }
  }

  /// In MiB; empty for none that it understands.
  private String heap(Map<String, String> environment, String... arguments) throws Exception {
    return said(environment, "heap_asked", arguments);
  }

  /// What a function of the script says.
  private String said(Map<String, String> environment, String function, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "-euo", "pipefail", "-c"));
    command.add(". \"$0\"; " + function + " \"$@\"");
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
