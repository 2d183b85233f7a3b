package dev.holdfast.blobcache.local;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;

/// A local file in which many small ones lie, mapped once. A segment that was flushed just now has
/// two dozen files of some hundred bytes: made one by one they cost more than all else that a
/// refresh does, since each is created, mapped and deleted, and to unmap stops all threads for a
/// moment.
public final class SharedFile {
  private final Path path;
  private final IndexInput mapped;

  // Guarded by this.
  private int inputs;
  private boolean isDropped;

  /// Maps a file.
  ///
  /// @param folder maps what it opens
  /// @param path of the file, which lies there
  public SharedFile(Directory folder, Path path) throws IOException {
    this.path = path;
    this.mapped = folder.openInput(String.valueOf(path.getFileName()), IOContext.DEFAULT);
  }

  /// Opens one that lies in it; not to be called when it was dropped.
  ///
  /// @param start where it begins, bytes
  /// @param length bytes
  public IndexInput open(String name, long start, long length) throws IOException {
    synchronized (this) {
      inputs++;
    }
    boolean isOpen = false;
    try {
      IndexInput input = new TrackedInput(name, mapped.slice(name, start, length), this::closed);
      isOpen = true;
      return input;
    } finally {
      if (!isOpen) {
        closed();
      }
    }
  }

  /// Deletes it. Open inputs stay valid.
  public void drop() {
    IOUtils.deleteFilesIgnoringExceptions(path);
    boolean isUnread;
    synchronized (this) {
      isUnread = !isDropped && inputs == 0;
      isDropped = true;
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
