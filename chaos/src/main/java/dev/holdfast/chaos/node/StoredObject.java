package dev.holdfast.chaos.node;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// An object of the S3 server's folder that is damaged or taken away for a while. The server keeps
/// what else it knows of an object beside its bytes, so the file itself is changed, or moved and
/// moved back.
public final class StoredObject {
  private static final int FENCE_BYTES_MAX = 64;

  private final Path file;
  private final String key;
  private final Path taken;
  private long offset = -1;
  private int bit;

  private StoredObject(Path file, String key, Path taken) {
    this.file = file;
    this.key = key;
    this.taken = taken;
  }

  /// What is done to it.
  public enum Harm {
    FLIP,
    REMOVE
  }

  /// The objects with this prefix, in the order of their keys.
  public static List<StoredObject> list(StoreServer store, String prefix) throws IOException {
    Path root = store.objects();
    Path folder = root.resolve(prefix);
    Path taken = root.resolveSibling("taken");
    List<StoredObject> objects = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        files
            .filter(Files::isRegularFile)
            .map(file -> new StoredObject(file, root.relativize(file).toString(), taken))
            .sorted(Comparator.comparing(StoredObject::key))
            .forEach(objects::add);
      } catch (java.io.UncheckedIOException e) {
        // Objects are deleted meanwhile: what was seen is enough.
        return objects;
      }
    }
    return objects;
  }

  public String key() {
    return key;
  }

  /// @return false when it is gone by now, and nothing was done
  public boolean harm(Harm harm, Random dice) throws IOException {
    try {
      switch (harm) {
        case FLIP -> {
          long length = Files.size(file);
          // As often in the tail, where most is decided, as anywhere.
          long from = dice.nextBoolean() ? 0 : Math.max(0, length - 16_384);
          offset = from + dice.nextLong(Math.max(1, length - from));
          bit = dice.nextInt(8);
          flip();
        }
        case REMOVE -> {
          Files.createDirectories(taken);
          Files.move(file, taken.resolve("object"));
        }
      }
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private void flip() throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(offset);
      int was = bytes.read();
      bytes.seek(offset);
      bytes.write(was ^ (1 << bit));
    }
  }

  /// As it was. What was deleted meanwhile stays deleted.
  ///
  /// @throws FileAlreadyExistsException when somebody has written another object in its place
  public void heal() throws IOException {
    if (offset < 0) {
      // Where a file of a log was, a recovery may have put its fence (docs/operating.md).
      if (Files.exists(file) && Files.size(file) >= FENCE_BYTES_MAX) {
        throw new FileAlreadyExistsException(key);
      }
      Files.createDirectories(file.getParent());
      Files.move(taken.resolve("object"), file, StandardCopyOption.REPLACE_EXISTING);
    } else if (Files.exists(file)) {
      flip();
    }
  }

  @Override
  public String toString() {
    return key + (offset < 0 ? "" : " at " + offset + ", bit " + bit);
  }
}
