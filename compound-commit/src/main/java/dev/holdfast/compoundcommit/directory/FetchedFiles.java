package dev.holdfast.compoundcommit.directory;

import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.compoundcommit.FileLocation;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import org.apache.lucene.util.IOUtils;

/// Files of commits that are not uploaded yet, copied from their indexing node when they were
/// noticed (§4.1): the death of that node takes nothing from a search copy that was told.
final class FetchedFiles {
  /// Read of the indexing node at once.
  private static final int READ_BYTES_MAX = 1 << 20;

  /// Files so close to each other are read together, and what is between them with them.
  private static final int GAP_BYTES_MAX = 16 << 10;

  /// Of this process: a copy that comes back while searches still read the one before shares no
  /// file with it.
  private static final AtomicLong MADE = new AtomicLong();

  private final Path folder;

  /// Guarded by this.
  private final TreeMap<String, Fetched> files = new TreeMap<>();

  private record Fetched(FileLocation location, Path path) {}

  /// @param ofShard where a folder of its own is made when it is needed
  FetchedFiles(Path ofShard) {
    this.folder = ofShard.resolve(Long.toString(MADE.incrementAndGet()));
  }

  synchronized Optional<Path> find(String name, FileLocation location) {
    Fetched fetched = files.get(name);
    return fetched == null || !fetched.location.equals(location)
        ? Optional.empty()
        : Optional.of(fetched.path);
  }

  /// Copies files of one blob that are not here yet; one caller at a time. Files of a commit lie
  /// next to each other, so that a call brings many of them.
  void fetch(SortedMap<String, FileLocation> wanted, LiveBlob blob) throws IOException {
    List<Map.Entry<String, FileLocation>> left =
        wanted.entrySet().stream()
            .filter(file -> find(file.getKey(), file.getValue()).isEmpty())
            .sorted(Comparator.comparingLong(file -> file.getValue().offset()))
            .toList();
    if (left.isEmpty()) {
      return;
    }
    Files.createDirectories(folder);
    Window window = new Window(blob);
    for (int i = 0; i < left.size() && !blob.isUploaded(); i++) {
      String name = left.get(i).getKey();
      FileLocation location = left.get(i).getValue();
      window.mayReadTo(runEnd(left, i));
      BlobId id = location.blob();
      Path path = folder.resolve(id.primaryTerm() + "-" + id.generation() + "-" + name);
      boolean isWhole = false;
      try {
        copy(name, location, window, path);
        isWhole = !blob.isUploaded();
      } finally {
        if (!isWhole) {
          IOUtils.deleteFilesIgnoringExceptions(path); // nobody would know of it
        }
      }
      if (!isWhole) {
        return; // uploaded meanwhile: the store has it
      }
      synchronized (this) {
        files.put(name, new Fetched(location, path));
      }
    }
  }

  private static void copy(String name, FileLocation location, Window window, Path path)
      throws IOException {
    try (OutputStream out = Files.newOutputStream(path)) {
      long at = location.offset();
      long end = at + location.length();
      while (at < end && !window.blob.isUploaded()) {
        int count = window.hold(at, end);
        if (count == 0) {
          throw new IOException(
              "a file of a commit is cut off [file=" + name + ", blob=" + location.blob() + "]");
        }
        out.write(window.bytes, (int) (at - window.start), count);
        at += count;
      }
    }
  }

  /// Where the files end that follow each other closely from that one on.
  private static long runEnd(List<Map.Entry<String, FileLocation>> files, int from) {
    FileLocation first = files.get(from).getValue();
    long end = first.offset() + first.length();
    for (int i = from + 1; i < files.size(); i++) {
      FileLocation next = files.get(i).getValue();
      if (next.offset() - end > GAP_BYTES_MAX) {
        break;
      }
      end = next.offset() + next.length();
    }
    return end;
  }

  /// The part of a blob that was read last.
  private static final class Window {
    final LiveBlob blob;
    byte[] bytes = new byte[0];
    long start;
    private long readEnd;

    Window(LiveBlob blob) {
      this.blob = blob;
    }

    /// What is read next may be wanted up to there.
    void mayReadTo(long end) {
      readEnd = end;
    }

    /// Reads on when the place is not in it; returns how much there is from it on.
    int hold(long at, long end) throws IOException {
      if (at < start || at >= start + bytes.length) {
        bytes = blob.readAtOnce(at, (int) Math.min(READ_BYTES_MAX, readEnd - at));
        start = at;
      }
      return (int) (Math.min(end, start + bytes.length) - at);
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
