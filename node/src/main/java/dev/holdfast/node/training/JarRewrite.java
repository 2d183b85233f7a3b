package dev.holdfast.node.training;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/// A jar made anew, entry by entry, with the times that its entries had.
final class JarRewrite {
  private JarRewrite() {}

  /// What becomes of an entry; the very same bytes when it stays, empty when it goes.
  @FunctionalInterface
  interface Change {
    Optional<byte[]> of(String name, byte[] bytes);
  }

  /// @param jar rewritten in place
  /// @return how many entries were changed, or went
  static int apply(Path jar, Change change) throws IOException {
    Path made = jar.resolveSibling(jar.getFileName() + ".made");
    int changed = 0;
    try {
      try (InputStream file = Files.newInputStream(jar);
          ZipInputStream in = new ZipInputStream(file);
          OutputStream to = Files.newOutputStream(made);
          ZipOutputStream out = new ZipOutputStream(to)) {
        for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
          byte[] bytes = in.readAllBytes();
          byte[] now = change.of(entry.getName(), bytes).orElse(null);
          changed += Arrays.equals(now, bytes) ? 0 : 1;
          if (now != null) {
            ZipEntry same = new ZipEntry(entry.getName());
            same.setTime(entry.getTime());
            out.putNextEntry(same);
            out.write(now);
            out.closeEntry();
          }
        }
      }
      Files.move(made, jar, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(made);
    }
    return changed;
  }
}
