package dev.holdfast.node;

import dev.holdfast.world.FromTheWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How many files and connections this process may have open at once. With too few a node starts,
/// and fails later by whatever comes to open the next: a class, which is never found again, as well
/// as a segment.
final class OpenFiles {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);

  /// What a node has open by itself, with connections to a store and a few clients.
  private static final long NEEDED = 1_000;

  /// For indices and clients of some number.
  private static final long WANTED = 8_000;

  private OpenFiles() {}

  /// Refuses to start a node with hopelessly few, and warns of few. The Java machine has raised the
  /// limit as far as it may.
  @FromTheWorld
  static void require() throws StartFailure {
    require(limit(Path.of("/proc/self/limits")));
  }

  /// @param limit empty where nobody says it
  static void require(OptionalLong limit) throws StartFailure {
    if (limit.isEmpty()) {
      return;
    }
    if (limit.getAsLong() < NEEDED) {
      throw new StartFailure(
          "this process may open "
              + limit.getAsLong()
              + " files and connections at once, a node needs "
              + NEEDED
              + ": raise the limit (ulimit -n, LimitNOFILE of systemd, nofile of a container)",
          new IllegalStateException());
    }
    if (limit.getAsLong() < WANTED) {
      LOG.warn(
          "this process may open few files and connections at once: raise the limit (ulimit -n,"
              + " LimitNOFILE of systemd, nofile of a container) [limit={}, wanted={}]",
          limit.getAsLong(),
          WANTED);
    }
  }

  /// The limit by what Linux tells a process of itself; empty where it says nothing, or has none.
  static OptionalLong limit(Path limits) {
    List<String> lines;
    try {
      lines = Files.readAllLines(limits);
    } catch (IOException e) {
      return OptionalLong.empty();
    }
    return lines.stream()
        .filter(line -> line.startsWith("Max open files"))
        .map(line -> line.substring("Max open files".length()).strip().split(" ", 2)[0])
        .filter(soft -> soft.matches("\\d{1,18}"))
        .mapToLong(Long::parseLong)
        .findFirst();
  }
}
