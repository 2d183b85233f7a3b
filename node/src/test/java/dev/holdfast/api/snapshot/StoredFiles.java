package dev.holdfast.api.snapshot;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.SortedSet;
import java.util.TreeSet;

/// The files below a folder while others make and delete some.
final class StoredFiles {
  private StoredFiles() {}

  /// Their names below `top`; none when it is not there.
  static SortedSet<String> below(Path top) throws IOException {
    SortedSet<String> names = new TreeSet<>();
    Files.walkFileTree(
        top,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes about) {
            names.add(top.relativize(file).toString());
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException e) {
            return FileVisitResult.CONTINUE;
          }
        });
    return names;
  }
}
