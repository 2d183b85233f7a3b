package dev.holdfast.blobcache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/// Blobs that are files of this machine: each is mapped once, for as long as one of its inputs is
/// open, and its inputs are slices of the mapping.
final class LocalBlobs {
  private static final class Mapping {
    final IndexInput whole;
    int inputs;

    Mapping(IndexInput whole) {
      this.whole = whole;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Path, Mapping> mappings = new HashMap<>();

  IndexInput open(String name, Path file, long offset, long length) throws IOException {
    lock.lock();
    try {
      Mapping mapping = mappings.get(file);
      if (mapping == null) {
        mapping = new Mapping(map(file));
        mappings.put(file, mapping);
      }
      mapping.inputs++;
      try {
        IndexInput slice = mapping.whole.slice(name, offset, length);
        return new TrackedInput(name + " in " + file, slice, () -> release(file));
      } catch (RuntimeException | IOException e) {
        release(file);
        throw e;
      }
    } finally {
      lock.unlock();
    }
  }

  private void release(Path file) throws IOException {
    lock.lock();
    try {
      Mapping mapping = mappings.get(file);
      if (mapping != null && --mapping.inputs == 0) {
        mappings.remove(file);
        mapping.whole.close();
      }
    } finally {
      lock.unlock();
    }
  }

  private static IndexInput map(Path file) throws IOException {
    Path folder = file.getParent();
    if (folder == null || Files.size(file) == 0) {
      throw new NoSuchFileException(file.toString(), null, "not a blob");
    }
    // The directory is only Lucene's door to its mapped inputs; it holds nothing to be closed.
    return LocalFiles.of(folder).openInput(file.getFileName().toString(), IOContext.DEFAULT);
  }
}
