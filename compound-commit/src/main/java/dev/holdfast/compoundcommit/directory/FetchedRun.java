package dev.holdfast.compoundcommit.directory;

import dev.holdfast.blobcache.local.TrackedInput;
import dev.holdfast.compoundcommit.FileLocation;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;

/// Files of commits that lie next to each other in a blob, in one local file that is mapped once. A
/// segment that was flushed just now has two dozen small files: as many files of this disk would
/// cost more than all else that a refresh does here, since each is created, mapped and deleted, and
/// to unmap stops all threads for a moment.
final class FetchedRun {
  private final Path path;

  /// Of the blob, where the run begins.
  private final long start;

  private final IndexInput mapped;

  // Guarded by this.
  private int inputs;
  private boolean isDropped;

  /// @param mapped the whole file; closed when it is dropped and nobody reads it
  FetchedRun(Path path, long start, IndexInput mapped) {
    this.path = path;
    this.start = start;
    this.mapped = mapped;
  }

  /// Opens a file that lies in it, of a run that is not dropped.
  IndexInput open(String name, FileLocation location) throws IOException {
    synchronized (this) {
      inputs++;
    }
    boolean isOpen = false;
    try {
      IndexInput slice = mapped.slice(name, location.offset() - start, location.length());
      IndexInput input = new TrackedInput(name, slice, this::closed);
      isOpen = true;
      return input;
    } finally {
      if (!isOpen) {
        closed();
      }
    }
  }

  /// No file of it is opened from now on. Open inputs stay valid.
  void drop() {
    IOUtils.deleteFilesIgnoringExceptions(path);
    boolean isUnread;
    synchronized (this) {
      isDropped = true;
      isUnread = inputs == 0;
    }
    if (isUnread) {
      IOUtils.closeWhileHandlingException(mapped);
    }
  }

  private void closed() {
    boolean isLast;
    synchronized (this) {
      inputs--;
      isLast = isDropped && inputs == 0;
    }
    if (isLast) {
      IOUtils.closeWhileHandlingException(mapped);
    }
  }
}
