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

/// Nodes in processes of their own over one store, without what tests add: they log, end and run
/// out of memory as in earnest. Killed when they are closed.
final class NodeProcesses implements AutoCloseable {
  private static final int STARTED_MAX_SECONDS = 120;

  private final Path folder;
  private final String heap;
  private final List<Process> processes = new ArrayList<>();

  /// @param heap as the JVM says it: `256m`
  NodeProcesses(Path folder, String heap) {
    this.folder = folder;
    this.heap = heap;
  }

  /// Starts a node and returns when it serves.
  Process start(String name, String roles) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
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
            .redirectOutput(log(name).toFile())
            .start();
    processes.add(process);
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(STARTED_MAX_SECONDS);
    while (address(name).isEmpty()) {
      assertThat(process.isAlive()).as("%s", said(name)).isTrue();
      assertThat(System.nanoTime()).isLessThan(endNanos);
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return process;
  }

  static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.contains("test-classes") && !entry.endsWith("-tests.jar"))
        .filter(entry -> !entry.contains(File.separator + "test" + File.separator))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private Path log(String name) {
    return folder.resolve(name + ".log");
  }

  /// Where a node serves: `http://127.0.0.1:…`; empty until it does.
  String address(String name) throws IOException {
    for (String line : said(name)) {
      int at = line.indexOf("ready on http://");
      if (at >= 0) {
        return line.substring(line.indexOf("http://", at), line.indexOf(' ', at + 9));
      }
    }
    return "";
  }

  /// The lines that a node has written.
  List<String> said(String name) throws IOException {
    return Files.exists(log(name)) ? Files.readAllLines(log(name)) : List.of();
  }

  @Override
  public void close() throws Exception {
    for (Process process : processes) {
      process.destroyForcibly();
      process.waitFor();
    }
  }
}
