package dev.holdfast.blobcache.local;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.blob.PageChecksums;
import dev.holdfast.blobcache.stats.CacheCounters;
import dev.holdfast.blobcache.stats.DamagedBlobs;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.jspecify.annotations.Nullable;

/// Which pages of a blob that is a file of this machine were found to be as they were written. A
/// page is checked before its first read, and never again in this process's life.
final class CheckedFile {
  private final Blob blob;
  private final String key;
  private final PageChecksums checksums;
  private final CacheCounters counters;
  private final DamagedBlobs damages;

  /// 1 for pages that were checked. Written and read without a lock: the file never changes, so a
  /// late write only checks a page twice.
  private final byte[] checked;

  CheckedFile(Blob blob, PageChecksums checksums, CacheCounters counters, DamagedBlobs damages) {
    this.blob = blob;
    this.key = blob.key();
    this.checksums = checksums;
    this.counters = counters;
    this.damages = damages;
    this.checked = new byte[checksums.pages()];
  }

  PageChecksums checksums() {
    return checksums;
  }

  /// Whether these bytes were checked; only for reads that touch two pages at most, no for others.
  boolean isChecked(long start, long count) {
    long first = start / PageChecksums.PAGE_BYTES;
    long last = (start + count - 1) / PageChecksums.PAGE_BYTES;
    return last - first <= 1
        && first >= 0
        && last < checked.length
        && checked[(int) first] != 0
        && checked[(int) last] != 0;
  }

  /// How many of these bytes lie in pages that are to be checked, at most `max` or a little more.
  long unchecked(long start, long end, long max) {
    long bytes = 0;
    for (int page = page(start); page <= page(end - 1) && bytes <= max; page++) {
      if (page < checked.length && checked[page] == 0) {
        bytes += PageChecksums.PAGE_BYTES;
      }
    }
    return bytes;
  }

  /// Where the run of checked pages ends that begins with this position, not behind `max`.
  long runEnd(long position, long max) {
    int page = page(position);
    while (page < checked.length && PageChecksums.start(page) < max && checked[page] != 0) {
      page++;
    }
    return page >= checked.length ? max : Math.min(max, PageChecksums.start(page));
  }

  /// Checks the pages that hold these bytes.
  ///
  /// @param whole the blob; read through a clone
  /// @throws CorruptObjectException when one of them is damaged
  void check(IndexInput whole, long start, long end) throws IOException {
    for (int page = page(start); page <= page(end - 1); page++) {
      if (page < checked.length && checked[page] == 0) {
        check(whole, page);
        checked[page] = 1;
      }
    }
  }

  private void check(IndexInput whole, int page) throws IOException {
    long start = PageChecksums.start(page);
    int length = (int) (checksums.end(page) - start);
    counters.checked.increment();
    if (start + length > whole.length() || crc(whole, start, length) != checksums.crcOf(page)) {
      counters.damaged.increment();
      CorruptObjectException damage = CorruptObjectException.page(key, start);
      damages.add(damage, () -> lookAgain(page, start, length));
      throw damage;
    }
    damages.whole(key, start, length);
  }

  /// Whoever has the file open as it was goes on with that one.
  private void lookAgain(int page, long start, int length) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] bytes = blob.read(start, length);
    crc.update(bytes);
    if (bytes.length == length && (int) crc.getValue() == checksums.crcOf(page)) {
      damages.whole(key, start, length);
    }
  }

  private static int crc(IndexInput whole, long start, int length) throws IOException {
    CRC32C crc = new CRC32C();
    MemorySegment mapped = mapped(whole, start, length);
    if (mapped != null) {
      try {
        crc.update(mapped.asByteBuffer());
      } catch (IllegalStateException e) {
        throw new AlreadyClosedException("closed while it was checked: " + whole, e);
      }
    } else {
      byte[] bytes = new byte[length];
      IndexInput in = whole.clone();
      in.seek(start);
      in.readBytes(bytes, 0, length);
      crc.update(bytes);
    }
    return (int) crc.getValue();
  }

  private static @Nullable MemorySegment mapped(IndexInput whole, long start, int length)
      throws IOException {
    return whole instanceof MemorySegmentAccessInput access
        ? access.segmentSliceOrNull(start, length)
        : null;
  }

  private static int page(long position) {
    return (int) (position / PageChecksums.PAGE_BYTES);
  }
}
