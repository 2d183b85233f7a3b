package dev.holdfast.clientstest;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A real node: `start` in a Java machine of its own, on a free port, with its store in a folder.
final class TestedNode implements AutoCloseable {
  private static final Pattern READY = Pattern.compile("ready on (http://\\S+)");
  private static final long START_SECONDS_MAX = 90;
  private static final long STOP_SECONDS_MAX = 15;

  private final Process process;
  private final String url;

  private TestedNode(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /// @param arguments of `start` beside port and data folder
  static TestedNode start(Path folder, String... arguments) throws Exception {
    Path errors = folder.resolve("node.err");
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseCompactObjectHeaders",
                "-Dio.netty.allocator.type=pooled",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.holdfast.node.Main",
                "start",
                "--port",
                "0",
                "--data",
                folder.resolve("data").toString()));
    words.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(words)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
            .start();
    CompletableFuture<String> url = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> read(process, url));
    try {
      return new TestedNode(process, url.get(START_SECONDS_MAX, TimeUnit.SECONDS));
    } catch (Exception e) {
      process.destroyForcibly();
      throw new IOException("the node did not start: " + Files.readString(errors), e);
    }
  }

  /// Reads until the end: a node must never wait for somebody to read what it says.
  private static void read(Process process, CompletableFuture<String> url) {
    StringBuilder said = new StringBuilder();
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher ready = READY.matcher(line);
        if (ready.find()) {
          url.complete(ready.group(1));
        }
        if (!url.isDone()) {
          said.append(line).append('\n');
        }
      }
      url.completeExceptionally(new IOException("it ended, having said: " + said));
    } catch (IOException e) {
      url.completeExceptionally(e);
    }
  }

  String url() {
    return url;
  }

  /// `kill -9`: no hook of the process runs.
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
