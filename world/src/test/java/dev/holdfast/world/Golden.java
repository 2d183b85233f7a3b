package dev.holdfast.world;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// The bytes that this build and those before it write, in `src/test/resources/golden`: numbered
/// files of hexadecimal text, which are added to and never changed (`docs/upgrading.md`).
public final class Golden {
  /// Where, in a module.
  public static final Path FOLDER = Path.of("src", "test", "resources", "golden");

  /// `-Dholdfast.golden=write` adds what has changed.
  private static final boolean IS_WRITING = "write".equals(System.getProperty("holdfast.golden"));

  private static final int LINE = 100;

  private Golden() {}

  /// Whether there is anything of that name in a module.
  public static boolean isThere(Path module, String name) {
    return Files.isDirectory(module.resolve(FOLDER).resolve(name));
  }

  /// All golden bytes of that name, oldest first: each must still be read.
  ///
  /// @param bytes as this build writes them
  /// @throws AssertionError when the newest golden bytes are others
  public static List<byte[]> of(String name, byte[] bytes) {
    try {
      Path folder = FOLDER.resolve(name);
      List<byte[]> all = new ArrayList<>();
      while (Files.exists(folder.resolve(all.size() + 1 + ".hex"))) {
        String hex = Files.readString(folder.resolve(all.size() + 1 + ".hex"));
        all.add(HexFormat.of().parseHex(hex.replaceAll("\\s", "")));
      }
      String now = HexFormat.of().formatHex(bytes);
      if (all.isEmpty() || !HexFormat.of().formatHex(all.getLast()).equals(now)) {
        Path next = folder.resolve(all.size() + 1 + ".hex");
        if (!IS_WRITING) {
          throw new AssertionError(
              "not the newest golden bytes of "
                  + name
                  + ": nodes of other builds read them, and stores hold them. If it is meant, see"
                  + " docs/upgrading.md and add (-Dholdfast.golden=write) "
                  + next
                  + ": "
                  + now);
        }
        Files.createDirectories(folder);
        Files.writeString(next, now.replaceAll("(.{" + LINE + "})", "$1\n").strip() + "\n");
        all.add(bytes);
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
