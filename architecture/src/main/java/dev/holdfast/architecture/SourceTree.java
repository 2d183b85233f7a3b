package dev.holdfast.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The Java sources of a checkout.
///
/// @param root its folder
/// @param modules in the order in which they are built: a module uses only modules before it
public record SourceTree(Path root, List<String> modules, List<SourceFile> files) {
  private static final Pattern MODULE = Pattern.compile("<module>([a-z-]+)</module>");

  /// Reads all of it.
  public static SourceTree read(Path root) throws IOException {
    List<String> modules = new ArrayList<>();
    Matcher module = MODULE.matcher(Files.readString(root.resolve("pom.xml")));
    while (module.find()) {
      modules.add(module.group(1));
    }
    List<SourceFile> files = new ArrayList<>();
    for (String each : modules) {
      for (String kind : List.of("main", "test")) {
        Path folder = root.resolve(each).resolve("src").resolve(kind).resolve("java");
        if (Files.isDirectory(folder)) {
          try (Stream<Path> found = Files.walk(folder)) {
            List<Path> sources =
                found.filter(file -> file.toString().endsWith(".java")).sorted().toList();
            for (Path source : sources) {
              files.add(SourceFile.read(root, source));
            }
          }
        }
      }
    }
    return new SourceTree(root, List.copyOf(modules), List.copyOf(files));
  }

  /// The checkout that a folder lies in.
  ///
  /// @throws IllegalStateException when it lies in none
  public static Path rootOf(Path folder) {
    for (Path at = folder.toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.exists(at.resolve("holdfast")) && Files.exists(at.resolve("pom.xml"))) {
        return at;
      }
    }
    throw new IllegalStateException("no checkout of Holdfast around " + folder);
  }
}
