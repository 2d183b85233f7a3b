package dev.holdfast.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One file of Java source.
///
/// @param module the Maven module it lies in
/// @param name without `.java`
/// @param packageName `dev.holdfast` and so on
/// @param uses packages of ours that it imports from
public record SourceFile(
    String module,
    boolean isTest,
    String packageName,
    String name,
    int lines,
    SortedSet<String> uses) {
  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?(dev\\.holdfast\\.[a-z0-9.]+)\\.[A-Z*]");

  /// @param file `<module>/src/main/java/…` or `<module>/src/test/java/…`, within `root`
  static SourceFile read(Path root, Path file) throws IOException {
    Path path = root.relativize(file);
    String folders = path.subpath(4, path.getNameCount() - 1).toString();
    List<String> text = Files.readAllLines(file);
    SortedSet<String> uses = new TreeSet<>();
    for (String line : text) {
      Matcher found = IMPORT.matcher(line);
      if (found.find()) {
        uses.add(found.group(1));
      }
    }
    String name = path.getFileName().toString();
    return new SourceFile(
        path.getName(0).toString(),
        path.getName(2).toString().equals("test"),
        folders.replace('/', '.'),
        name.substring(0, name.length() - ".java".length()),
        text.size(),
        uses);
  }
}
