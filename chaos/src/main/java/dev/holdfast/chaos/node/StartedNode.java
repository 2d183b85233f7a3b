package dev.holdfast.chaos.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A node that a provisioner has started as a process: what its folder says of it.
///
/// @param log where it prints
public record StartedNode(String name, long pid, Path log) {
  /// From the start of its Java machine on.
  private static final Pattern READY = Pattern.compile("(?m)^holdfast .* ready .* in ([0-9.]+) s$");

  /// All that have been started, by name, whether they run or not.
  ///
  /// @param folder of the provisioner: a folder with `pid` and `log` for each node
  public static List<StartedNode> of(Path folder) throws IOException {
    TreeMap<String, StartedNode> nodes = new TreeMap<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
        for (Path child : children) {
          Path pid = child.resolve("pid");
          String text = Files.exists(pid) ? Files.readString(pid).strip() : "";
          if (text.contains(" ")) { // else it is being written
            String name = String.valueOf(child.getFileName());
            long number = Long.parseLong(text.split(" ", 2)[0]);
            nodes.put(name, new StartedNode(name, number, child.resolve("log")));
          }
        }
      }
    }
    return List.copyOf(nodes.values());
  }

  public boolean isRunning() {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  /// How long each took to be ready, and the processor time that it has used by now: where the time
  /// went until an answer came.
  public static String words(Path folder) throws IOException {
    List<String> words = new ArrayList<>();
    for (StartedNode node : of(folder)) {
      words.add(node.words());
    }
    return String.join(", ", words);
  }

  private String words() throws IOException {
    String printed =
        Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
    Matcher ready = READY.matcher(printed);
    Optional<String> processor =
        ProcessHandle.of(pid)
            .flatMap(handle -> handle.info().totalCpuDuration())
            .map(time -> String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3));
    return name
        + (ready.find() ? " ready in " + ready.group(1) + " s" : " not ready")
        + processor.map(time -> " with " + time + " of processor time").orElse("");
  }
}
