package dev.holdfast.blobcache.local;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.blob.PageChecksums;
import dev.holdfast.blobcache.read.HotRegions;
import dev.holdfast.blobcache.stats.CacheCounters;
import dev.holdfast.blobcache.stats.DamagedBlobs;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/// Blobs that are files of this machine: each is mapped once, for as long as one of its inputs is
/// open, and its inputs are slices of the mapping. A page is checked before its first read; what
/// was checked is remembered when the mapping ends.
public final class LocalBlobs {
  /// Pages that are remembered: a byte each, and four for the checksum.
  private static final long PAGES_MAX = 4 << 20;

  private static final class Mapping {
    final IndexInput whole;
    int inputs;

    Mapping(IndexInput whole) {
      this.whole = whole;
    }
  }

  private final HotRegions tails;
  private final CacheCounters counters;
  private final DamagedBlobs damages;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Path, Mapping> mappings = new HashMap<>();
  private final Map<String, CheckedFile> checks = new LinkedHashMap<>(16, 0.75f, true);
  private long pages;

  /// @param tails reads the checksums of blobs
  public LocalBlobs(HotRegions tails, CacheCounters counters, DamagedBlobs damages) {
    this.tails = tails;
    this.counters = counters;
    this.damages = damages;
  }

  public IndexInput open(String name, Blob blob, Path file, long offset, long length)
      throws IOException {
    CheckedFile checked = checked(blob);
    IndexInput whole = acquire(file);
    boolean isOpen = false;
    try {
      IndexInput slice = slice(name, blob, whole, offset, length, checked);
      IndexInput tracked = new TrackedInput(name + " in " + file, slice, () -> release(file));
      isOpen = true;
      return tracked;
    } finally {
      if (!isOpen) {
        release(file);
      }
    }
  }

  private IndexInput acquire(Path file) throws IOException {
    lock.lock();
    try {
      Mapping mapping = mappings.get(file);
      if (mapping == null) {
        mapping = new Mapping(map(file));
        mappings.put(file, mapping);
      }
      mapping.inputs++;
      return mapping.whole;
    } finally {
      lock.unlock();
    }
  }

  private static IndexInput slice(
      String name,
      Blob blob,
      IndexInput whole,
      long offset,
      long length,
      @Nullable CheckedFile checked)
      throws IOException {
    if (offset + length > whole.length()) {
      throw new CorruptObjectException(
          blob.key(), "cut off [length=" + whole.length() + ", wanted=" + (offset + length) + "]");
    }
    IndexInput slice = whole.slice(name, offset, length);
    return checked == null ? slice : CheckedInput.of(slice, whole, checked, offset);
  }

  public void drop(String blobKey) {
    lock.lock();
    try {
      CheckedFile gone = checks.remove(blobKey);
      pages -= gone == null ? 0 : gone.checksums().pages();
    } finally {
      lock.unlock();
    }
  }

  /// Null for blobs without checksums.
  private @Nullable CheckedFile checked(Blob blob) throws IOException {
    lock.lock();
    try {
      CheckedFile known = checks.get(blob.key());
      if (known != null) {
        return known;
      }
    } finally {
      lock.unlock();
    }
    PageChecksums checksums = tails.checksums(blob);
    return checksums == null ? null : remember(blob, checksums);
  }

  private CheckedFile remember(Blob blob, PageChecksums checksums) {
    lock.lock();
    try {
      CheckedFile first = checks.get(blob.key());
      if (first != null) {
        return first;
      }
      CheckedFile checked = new CheckedFile(blob, checksums, counters, damages);
      checks.put(blob.key(), checked);
      pages += checksums.pages();
      Iterator<CheckedFile> oldest = checks.values().iterator();
      while (pages > PAGES_MAX && checks.size() > 1) {
        pages -= oldest.next().checksums().pages();
        oldest.remove();
      }
      return checked;
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
