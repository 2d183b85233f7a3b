package dev.holdfast.compoundcommit.directory;

import dev.holdfast.blobcache.local.LocalFiles;
import dev.holdfast.blobcache.local.SharedFile;
import dev.holdfast.compoundcommit.FileLocation;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/// Files of commits that are not uploaded yet, copied from their indexing node when they were
/// noticed (§4.1): the death of that node takes nothing from a search copy that was told.
final class FetchedFiles {
  /// Read of the indexing node at once.
  private static final int READ_BYTES_MAX = 1 << 20;

  /// Files so close to each other are copied together, and what is between them with them.
  private static final int GAP_BYTES_MAX = 16 << 10;

  /// Of files that are copied together: they are deleted together, too.
  private static final long RUN_BYTES_MAX = 16 << 20;

  /// Of this process: a copy that comes back while searches still read the one before shares no
  /// file with it.
  private static final AtomicLong MADE = new AtomicLong();

  private final Path folder;

  /// Null until something is fetched. One caller at a time.
  private @Nullable Directory local;

  /// Names of runs. One caller at a time.
  private long runs;

  // Guarded by this.
  private final TreeMap<String, Fetched> files = new TreeMap<>();

  private boolean isClosed;

  /// @param start of the run, in the blob
  private record Fetched(FileLocation location, long start, SharedFile run) {
    IndexInput open(String name) throws IOException {
      return run.open(name, location.offset() - start, location.length());
    }
  }

  /// @param ofShard where a folder of its own is made when it is needed
  FetchedFiles(Path ofShard) {
    this.folder = ofShard.resolve(Long.toString(MADE.incrementAndGet()));
  }

  /// Opens a file that is here.
  synchronized Optional<IndexInput> open(String name, FileLocation location) throws IOException {
    Fetched fetched = files.get(name);
    return fetched == null || !fetched.location.equals(location)
        ? Optional.empty()
        : Optional.of(fetched.open(name));
  }

  /// Whether the file is here.
  synchronized boolean has(String name, FileLocation location) {
    Fetched fetched = files.get(name);
    return fetched != null && fetched.location.equals(location);
  }

  /// Copies files of one blob, none of which is here; one caller at a time. Files of a commit lie
  /// next to each other, so that a call brings many of them.
  void fetch(SortedMap<String, FileLocation> wanted, LiveBlob blob) throws IOException {
    List<Map.Entry<String, FileLocation>> left =
        wanted.entrySet().stream()
            .sorted(Comparator.comparingLong(file -> file.getValue().offset()))
            .toList();
    int from = 0;
    while (from < left.size() && !blob.isUploaded()) {
      int to = runEnd(left, from);
      fetchRun(left.subList(from, to), blob);
      from = to;
    }
  }

  /// Which file is the first that does not lie with those from that one on.
  private static int runEnd(List<Map.Entry<String, FileLocation>> files, int from) {
    long start = files.get(from).getValue().offset();
    long end = end(files.get(from).getValue());
    for (int i = from + 1; i < files.size(); i++) {
      FileLocation next = files.get(i).getValue();
      if (next.offset() - end > GAP_BYTES_MAX || end(next) - start > RUN_BYTES_MAX) {
        return i;
      }
      end = Math.max(end, end(next));
    }
    return files.size();
  }

  private static long end(FileLocation file) {
    return file.offset() + file.length();
  }

  private void fetchRun(List<Map.Entry<String, FileLocation>> ofRun, LiveBlob blob)
      throws IOException {
    Directory directory = local;
    if (directory == null) {
      Files.createDirectories(folder);
      directory = LocalFiles.of(folder);
      local = directory;
    }
    long start = ofRun.getFirst().getValue().offset();
    long end = ofRun.stream().mapToLong(file -> end(file.getValue())).max().orElseThrow();
    Path path = folder.resolve(Long.toString(runs++));
    boolean isWhole = false;
    try {
      copy(blob, start, end, path);
      if (blob.isUploaded()) {
        return; // meanwhile: the store has it
      }
      SharedFile run = new SharedFile(directory, path);
      isWhole = true;
      keep(ofRun, start, run);
    } finally {
      if (!isWhole) {
        IOUtils.deleteFilesIgnoringExceptions(path); // nobody would know of it
      }
    }
  }

  private static void copy(LiveBlob blob, long start, long end, Path path) throws IOException {
    try (OutputStream out = Files.newOutputStream(path)) {
      long at = start;
      while (at < end && !blob.isUploaded()) {
        byte[] bytes = blob.readAtOnce(at, (int) Math.min(READ_BYTES_MAX, end - at));
        if (bytes.length == 0) {
          throw new IOException(
              "files of a commit are cut off [blob=" + blob.key() + ", offset=" + at + "]");
        }
        out.write(bytes);
        at += bytes.length;
      }
    }
  }

  private void keep(List<Map.Entry<String, FileLocation>> ofRun, long start, SharedFile run) {
    Set<SharedFile> unneeded = new HashSet<>();
    synchronized (this) {
      for (Map.Entry<String, FileLocation> file : ofRun) {
        Fetched before = files.put(file.getKey(), new Fetched(file.getValue(), start, run));
        if (before != null) {
          unneeded.add(before.run);
        }
      }
      if (isClosed) {
        files.clear();
        unneeded.add(run);
      }
      unneeded.removeAll(needed());
    }
    unneeded.forEach(SharedFile::drop);
  }

  /// Forgets what is not needed any more; open inputs stay valid.
  void retain(BiPredicate<String, FileLocation> isNeeded) {
    Set<SharedFile> unneeded;
    synchronized (this) {
      unneeded = needed();
      files.entrySet().removeIf(file -> !isNeeded.test(file.getKey(), file.getValue().location));
      unneeded.removeAll(needed());
    }
    unneeded.forEach(SharedFile::drop);
  }

  private Set<SharedFile> needed() {
    return files.values().stream().map(Fetched::run).collect(Collectors.toCollection(HashSet::new));
  }

  /// Keeps nothing, not even what is being fetched just now.
  void close() {
    synchronized (this) {
      isClosed = true;
    }
    retain((name, location) -> false);
    IOUtils.deleteFilesIgnoringExceptions(folder);
  }
}
