package dev.holdfast.provision;

import dev.holdfast.world.FromTheWorld;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A node that was started as a process of this machine, in a folder of its own: `pid` says which
/// process it is, to whoever leads next; `log` is what it printed; the rest is its data, which the
/// next process of this name finds warm.
///
/// @param name of the node
@FromTheWorld
record ChildProcess(Path folder, String name) {
  /// Of the Java machine: what two processes cannot share.
  private static final List<String> OWN_OPTIONS =
      List.of("-agentlib", "-javaagent", "-Xrunjdwp", "-XX:StartFlightRecording", "-Xlog");

  private static final long WORDS_BYTES_MAX = 2048;

  private static final String MAIN = "dev.holdfast.node.Main";

  /// The process, if it runs.
  Optional<ProcessHandle> process() {
    try {
      Path pid = folder.resolve("pid");
      if (!Files.exists(pid)) {
        return Optional.empty();
      }
      String[] known = Files.readString(pid).strip().split(" ");
      return known.length < 2
          ? Optional.empty()
          : ProcessHandle.of(Long.parseLong(known[0]))
              .filter(ProcessHandle::isAlive)
              // Another process may have the number by now.
              .filter(handle -> known[1].equals(started(handle)));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static String started(ProcessHandle handle) {
    return handle.info().startInstant().map(Instant::toString).orElse("unknown");
  }

  /// How long it has been running.
  static Duration age(ProcessHandle process) {
    return process
        .info()
        .startInstant()
        .map(start -> Duration.between(start, Instant.now()))
        .orElse(Duration.ZERO);
  }

  /// Starts it as this process was started, but for its own options.
  ///
  /// @param settings by variable; they hold secrets, so they are no arguments
  /// @param more options of its Java machine, unless people have said otherwise
  Process start(Map<String, String> settings, List<String> more) throws IOException {
    Files.createDirectories(folder);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(more); // of two the second counts
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (OWN_OPTIONS.stream().noneMatch(option::startsWith)) {
        command.add(option);
      }
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN, "start"));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
    builder.environment().putAll(settings);
    File log = folder.resolve("log").toFile();
    Process process =
        builder.redirectErrorStream(true).redirectOutput(log).redirectInput(nothing()).start();
    String pid = process.pid() + " " + started(process.toHandle()) + "\n";
    try {
      Files.writeString(folder.resolve("pid"), pid, StandardCharsets.UTF_8);
    } catch (IOException e) {
      // One that nobody finds again would never be stopped.
      Process _ = process.destroyForcibly();
      throw e;
    }
    return process;
  }

  private static File nothing() {
    return new File("/dev/null");
  }

  /// The last line that it printed, for people, or the end of it; null when there is none.
  @Nullable String lastWords() {
    try (RandomAccessFile log = new RandomAccessFile(folder.resolve("log").toFile(), "r")) {
      byte[] end = new byte[(int) Math.min(log.length(), WORDS_BYTES_MAX)];
      log.seek(log.length() - end.length);
      log.readFully(end);
      return new String(end, StandardCharsets.UTF_8).lines().reduce(null, (_, line) -> line);
    } catch (IOException e) {
      return null;
    }
  }
}
