package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.TestRequirement;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// The tarball of `./holdfast package`, made of the classes of this build: unpacked elsewhere it
/// starts without Maven, git, a Java of the machine, and without writing where it lies.
@EnabledOnOs(OS.LINUX)
@Timeout(900)
final class ReleaseTest {
  private static final int TERMINATED = 128 + 15;
  private static final long COMMAND_MAX_SECONDS = 600;

  /// All that `bin/holdfast` may call.
  private static final List<String> TOOLS =
      List.of("bash", "dirname", "readlink", "cat", "sed", "awk", "tr", "head");

  private static final String NOBODY = "65534";

  private static Path folder = Path.of("");
  private static Path jars = Path.of("");

  @BeforeAll
  static void makeJars() throws Exception {
    folder = Files.createTempDirectory("release");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    jars = Files.createDirectory(folder.resolve("jars"));
    for (String entry : NodeProcesses.classPath().split(File.pathSeparator)) {
      Path path = Path.of(entry).toAbsolutePath();
      if (path.endsWith(Path.of("target", "classes"))) {
        String module = path.getParent().getParent().getFileName().toString();
        Path jar = jars.resolve("holdfast-" + module + "-0.jar");
        int status =
            ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(
                    System.out,
                    System.err,
                    "--create",
                    "--date=2026-11-20T00:00:00Z",
                    "--file=" + jar,
                    "-C",
                    path.toString(),
                    ".");
        assertThat(status).isZero();
      } else if (entry.endsWith(".jar") && Files.exists(path)) {
        Files.copy(path, jars.resolve(path.getFileName()));
      }
    }
  }

  @AfterAll
  static void remove() throws Exception {
    said("chmod", "-R", "u+w", folder.toString());
    said("rm", "-rf", folder.toString());
  }

  @Test
  void itStartsElsewhereForAUserWhoMayOnlyReadIt() throws Exception {
    Path made = Files.createDirectory(folder.resolve("made"));
    String said = packaged("--output", made.toString(), "--level", "1");
    assertThat(said).contains("start-up cache: yes").contains(" inside");
    Path tarball = onlyOne(made, "holdfast-*.tar.gz");
    assertThat(said("sh", "-c", "cd " + made + " && sha256sum --check *.sha256")).endsWith("OK\n");

    Path elsewhere = Files.createDirectories(folder.resolve("else where"));
    said("tar", "-xzf", tarball.toString(), "-C", elsewhere.toString());
    Path home = onlyOne(elsewhere, "holdfast-*");
    said("chmod", "-R", "a-w", elsewhere.toString());
    hasWhatTheContainerCopies(tarball, home);

    Path data = Files.createDirectory(folder.resolve("data"));
    said("chmod", "777", data.toString());
    Process node = run(home, "start", "--port", "0", "--heap", "256m", "--data", data + "/one");
    String url = url(node);
    asked(url + "/books/_doc/1?refresh=true", "{\"title\":\"The Sea, the Sea\"}");
    assertThat(asked(url + "/books/_search?q=title:sea", "").at("/hits/total/value").asInt())
        .isEqualTo(1);
    node.destroy();
    assertThat(node.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(node.exitValue()).as(errors()).isEqualTo(TERMINATED);
    assertThat(said("find", elsewhere.toString(), "-newer", tarball.toString(), "-type", "f"))
        .isEmpty();

    assertThat(words(run(home, "--version"), 0)).matches("holdfast \\d+\\.\\d+\\.\\d+\n");
    assertThat(words(run(home, "strat"), 2)).isEmpty();
    assertThat(errors()).contains("unknown command [strat]");
    assertThat(words(run(home, "start", "--heap", "1m"), 2)).isEmpty();
    assertThat(errors()).contains("the heap is at least 128mb");
    assertThat(words(run(home, "store", "check", "--data", data + "/one"), 0))
        .contains(": 0 damaged");
  }

  /// No image can be built by a test; but what its definition copies and starts is there.
  private static void hasWhatTheContainerCopies(Path tarball, Path home) throws Exception {
    String container = Files.readString(Path.of("../deploy/container/Containerfile"));
    assertThat(container)
        .contains("RELEASE=" + tarball.getFileName())
        // a native library is unpacked there, and --tmpfs alone is noexec
        .contains(" --tmpfs /tmp:exec ")
        .containsPattern("(?m)^USER [1-9][0-9]*:[1-9][0-9]*$");
    List<String> paths = new ArrayList<>();
    Matcher path = Pattern.compile("/opt/holdfast(/[\\w./-]+)").matcher(container);
    while (path.find()) {
      paths.add(path.group(1));
      assertThat(Files.isExecutable(home.resolve(path.group(1).substring(1)))).isTrue();
    }
    assertThat(paths).containsExactly("/bin/holdfast");
  }

  @Test
  void whatIsMadeTwiceIsTheSame() throws Exception {
    List<String> sums = new ArrayList<>();
    for (String time : List.of("first", "second")) {
      Path made = folder.resolve(time);
      packaged("--output", made.toString(), "--jre=no", "--start-up-cache", "no", "--level=1");
      sums.add(Files.readString(onlyOne(made, "*.sha256")));
    }
    assertThat(sums.get(0)).isEqualTo(sums.get(1)).matches("[0-9a-f]{64}  holdfast-\\S+\n");

    said("tar", "-xzf", onlyOne(folder.resolve("first"), "*.tar.gz").toString(), "-C", folder + "");
    Path home = onlyOne(folder, "holdfast-*");
    assertThat(home.resolve("RELEASE")).content().contains("java=needed", "start_up_cache=no");
    assertThat(words(run(home, "start"), 1)).isEmpty();
    assertThat(errors()).contains("no Java 25 found: this release has none of its own");
  }

  @Test
  void optionsThatMeanNothingAreRefused() throws Exception {
    refused("unknown option [--jer]", "--jer", "no");
    refused("bad value [maybe] of option [--jre]: it is yes or no", "--jre", "maybe");
    refused("bad value [10] of option [--level]: it is 1 to 9", "--level", "10");
    refused("option [--output] needs a value", "--output");
    refused("option [--output] needs a value", "--output=");
    refused(
        "it is no folder", "--output", Files.writeString(folder.resolve("file"), "").toString());
    refused("there is no such folder", "--jars", folder.resolve("nowhere").toString());
    refused("no holdfast-node-….jar is in it", "--jars", folder.toString());
  }

  private static void refused(String why, String... options) throws Exception {
    assertThat(words(holdfast(options), 2)).isEmpty();
    assertThat(errors().strip()).contains(why).hasLineCount(1);
  }

  private static String packaged(String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("--jars", jars.toString()));
    all.addAll(List.of(options));
    words(holdfast(all.toArray(String[]::new)), 0);
    return errors();
  }

  private static Process holdfast(String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of("../scripts/package"));
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder.redirectError(folder.resolve("errors").toFile()).start();
  }

  /// `bin/holdfast`, by a user who owns nothing of it, where little else is installed.
  private static Process run(Path home, String... options) throws Exception {
    Path tools = folder.resolve("tools");
    if (!Files.exists(tools)) {
      Files.createDirectory(tools);
      for (String tool : TOOLS) {
        Files.createSymbolicLink(tools.resolve(tool), Path.of(said("which", tool).strip()));
      }
    }
    List<String> command = new ArrayList<>();
    if (said("id", "-u").strip().equals("0")) {
      String setpriv = said("which", "setpriv").strip();
      TestRequirement.require(!setpriv.isEmpty(), () -> "setpriv is missing (util-linux)");
      command.addAll(List.of(setpriv, "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"));
    }
    command.add(home.resolve("bin").resolve("holdfast").toString());
    command.addAll(Arrays.asList(options));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().put("PATH", tools.toString());
    // A start-up cache that does not fit ends the Java machine.
    if (Files.exists(home.resolve("lib").resolve("holdfast.aot")) && options[0].equals("start")) {
      builder.environment().put("HOLDFAST_JAVA_OPTS", "-XX:AOTMode=on");
    }
    return builder
        .directory(new File("/"))
        .redirectError(folder.resolve("errors").toFile())
        .start();
  }

  private static String url(Process node) throws IOException {
    String line = node.inputReader().readLine();
    while (line != null && !line.contains("ready on ")) {
      line = node.inputReader().readLine();
    }
    assertThat(line).as(errors()).isNotNull();
    return line.replaceAll(".*ready on (\\S+).*", "$1");
  }

  private static String errors() throws IOException {
    return Files.readString(folder.resolve("errors"));
  }

  private static String words(Process process, int status) throws Exception {
    String words = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(COMMAND_MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(errors()).isEqualTo(status);
    return words;
  }

  private static String said(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(COMMAND_MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
    return said;
  }

  /// @param document empty for a question
  private static JsonNode asked(String url, String document) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (!document.isEmpty()) {
      request
          .header("content-type", "application/json")
          .PUT(HttpRequest.BodyPublishers.ofString(document));
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
      return Json.parse(answer.body());
    }
  }

  private static Path onlyOne(Path folder, String glob) throws IOException {
    List<Path> all = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, glob)) {
      found.forEach(all::add);
    }
    assertThat(all).hasSize(1);
    return all.getFirst();
  }
}
