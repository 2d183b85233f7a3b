package dev.holdfast.compoundcommit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.apache.lucene.util.IOUtils;

/// Files of commits that are not uploaded yet, copied from their indexing node when they were
/// noticed (§4.1): the death of that node takes nothing from a search copy that was told.
final class FetchedFiles {
  /// Read of the indexing node at once.
  private static final int READ_BYTES_MAX = 1 << 20;

  private final Path folder;

  /// Guarded by this.
  private final TreeMap<String, Fetched> files = new TreeMap<>();

  private record Fetched(FileLocation location, Path path) {}

  /// @param folder its own; made when it is needed
  FetchedFiles(Path folder) {
    this.folder = folder;
  }

  synchronized Optional<Path> find(String name, FileLocation location) {
    Fetched fetched = files.get(name);
    return fetched == null || !fetched.location.equals(location)
        ? Optional.empty()
        : Optional.of(fetched.path);
  }

  /// Copies a file; one caller at a time.
  void fetch(String name, FileLocation location, LiveBlob blob) throws IOException {
    if (find(name, location).isPresent()) {
      return;
    }
    Files.createDirectories(folder);
    BlobId id = location.blob();
    Path path = folder.resolve(id.primaryTerm() + "-" + id.generation() + "-" + name);
    try (OutputStream out = Files.newOutputStream(path)) {
      long at = 0;
      while (at < location.length() && !blob.isUploaded()) {
        int wanted = (int) Math.min(READ_BYTES_MAX, location.length() - at);
        byte[] bytes = blob.read(location.offset() + at, wanted);
        if (bytes.length != wanted) {
          throw new IOException(
              "a file of a commit is cut off [file=" + name + ", blob=" + id + "]");
        }
        out.write(bytes);
        at += wanted;
      }
    }
    if (blob.isUploaded()) {
      Files.deleteIfExists(path); // uploaded meanwhile: the store has it
      return;
    }
    synchronized (this) {
      files.put(name, new Fetched(location, path));
    }
  }

  /// Deletes what is not needed any more; open inputs stay valid.
  void retain(BiPredicate<String, FileLocation> isNeeded) {
    List<Path> unneeded = new ArrayList<>();
    synchronized (this) {
      for (Map.Entry<String, Fetched> entry : files.entrySet()) {
        if (!isNeeded.test(entry.getKey(), entry.getValue().location)) {
          unneeded.add(entry.getValue().path);
        }
      }
      files.values().removeIf(fetched -> unneeded.contains(fetched.path));
    }
    IOUtils.deleteFilesIgnoringExceptions(unneeded);
  }

  void close() {
    retain((name, location) -> false);
    IOUtils.deleteFilesIgnoringExceptions(folder);
  }
}
