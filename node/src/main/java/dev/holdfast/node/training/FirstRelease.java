package dev.holdfast.node.training;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Takes out of a library what it has for newer Java machines beside what it has for all. What zstd
/// has for them makes a method handle for each of fifty functions when the first is called; no
/// start-up cache holds those, and they take a tenth of a start. The classes for all call the same
/// functions by JNI.
public final class FirstRelease {
  private static final String NEWER = "META-INF/versions/";

  private FirstRelease() {}

  /// @param jars rewritten in place
  public static void main(String[] jars) throws IOException {
    for (String jar : jars) {
      int _ = keep(Path.of(jar));
    }
  }

  /// @return how many entries went
  static int keep(Path jar) throws IOException {
    return JarRewrite.apply(
        jar, (name, bytes) -> name.startsWith(NEWER) ? Optional.empty() : Optional.of(bytes));
  }
}
