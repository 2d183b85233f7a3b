package dev.holdfast.chaos.damage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Whole folders.
public final class Folders {
  private Folders() {}

  /// Copies a folder as it is; files that go away meanwhile are left out.
  static void copy(Path from, Path to) throws IOException {
    for (Path path : paths(from)) {
      Path target = to.resolve(from.relativize(path).toString());
      if (Files.isDirectory(path)) {
        Files.createDirectories(target);
      } else {
        try {
          Files.copy(path, target, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException _) {
          // It went away meanwhile.
        }
      }
    }
  }

  public static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      for (Path path : paths(folder).reversed()) {
        Files.deleteIfExists(path);
      }
    }
  }

  /// Folders before what is in them.
  private static List<Path> paths(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.sorted(Comparator.naturalOrder()).toList();
    }
  }
}
