package dev.holdfast.blobcache;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// A slice of one blob in the cache: a sparse file, mapped, of which some pages are filled. A file
/// belongs to one region for ever, and an evicted region is retired, then unmapped: no reader can
/// see the bytes of another blob. Fields are guarded by the cache's lock, but for `touched` and
/// `retired`.
final class Region {
  static final int BYTES = 16 << 20;
  static final int PAGES = BYTES / BlobInputs.PAGE_BYTES;
  private static final int FREQUENCY_MAX = 100;

  final RegionKey key;

  /// The number of its file.
  final long number;

  private final Path file;
  private final Arena arena;
  private final MemorySegment mapped;
  private final BitSet filled;
  private int filling;
  private boolean unforced;
  private @Nullable MemorySegment lent;
  private volatile boolean retired;
  private int frequency;
  private long touchedPeriod;

  /// Written by readers without a lock: a late or lost write only makes the region look colder.
  private boolean touched;

  private Region(CacheMap.Entry entry, Path file, Arena arena, MemorySegment mapped, long period) {
    this.key = entry.key();
    this.number = entry.file();
    this.file = file;
    this.arena = arena;
    this.mapped = mapped;
    this.filled = entry.filled();
    this.frequency = entry.frequency();
    this.touchedPeriod = period;
  }

  /// A region of an earlier life; its file must be whole.
  static Region restore(CacheMap.Entry entry, Path file, long period) throws IOException {
    Arena arena = Arena.ofShared();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() != BYTES) {
        throw new IOException("not a whole region [file=" + file + "]");
      }
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, BYTES, arena);
      return new Region(entry, file, arena, mapped, period);
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  static Region create(RegionKey key, long number, Path file, long period) throws IOException {
    Arena arena = Arena.ofShared();
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.SPARSE)) {
      channel.write(ByteBuffer.allocate(1), BYTES - 1L);
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, BYTES, arena);
      CacheMap.Entry empty = new CacheMap.Entry(number, key, 0, new BitSet(PAGES));
      return new Region(empty, file, arena, mapped, period);
    } catch (IOException | RuntimeException e) {
      arena.close();
      Files.deleteIfExists(file);
      throw e;
    }
  }

  boolean holds(int page) {
    return filled.get(page);
  }

  int missing(int firstPage, int endPage) {
    return endPage - firstPage - filled.get(firstPage, endPage).cardinality();
  }

  /// The first page from `page` on that is not filled.
  int nextMissing(int page) {
    return filled.nextClearBit(page);
  }

  /// The filled pages around a filled page.
  Window window(int page, boolean isUse) {
    int first = filled.previousClearBit(page) + 1;
    int end = filled.nextClearBit(page);
    long offset = (long) first * BlobInputs.PAGE_BYTES;
    long length = (long) (end - first) * BlobInputs.PAGE_BYTES;
    return new Window(mapped.asSlice(offset, length), key.start() + offset, this, isUse);
  }

  /// Bytes of filled pages as a mapping of their own that stays readable while somebody holds it:
  /// for readers that can't be told of an eviction.
  MemorySegment lend(long offset, long length) throws IOException {
    MemorySegment whole = lent;
    if (whole == null) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        whole = channel.map(FileChannel.MapMode.READ_ONLY, 0, BYTES, Arena.ofAuto());
      }
      lent = whole;
    }
    return whole.asSlice(offset, length);
  }

  boolean holdsAll(int firstPage, int endPage) {
    return filled.nextClearBit(firstPage) >= endPage;
  }

  /// What the cache's map says of it.
  CacheMap.Entry entry() {
    return new CacheMap.Entry(number, key, frequency, (BitSet) filled.clone());
  }

  /// Forces what was written to the disk.
  void force() throws IOException {
    if (unforced) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.force(false);
      }
      unforced = false;
    }
  }

  long filledBytes() {
    return (long) filled.cardinality() * BlobInputs.PAGE_BYTES;
  }

  void touch() {
    if (!touched) {
      touched = true;
    }
  }

  /// Whether a fill is under way: such a region is not evicted.
  boolean isFilling() {
    return filling > 0;
  }

  /// Whether it was evicted: readers are to look for another window when they next can.
  boolean isRetired() {
    return retired;
  }

  void beginFill() {
    filling++;
  }

  /// Writes bytes of pages that nobody reads yet; called without the lock. Written through the file
  /// rather than the mapping: a full disk is then an exception, not a crash.
  void write(int firstPage, byte[] bytes) throws IOException {
    long offset = (long) firstPage * BlobInputs.PAGE_BYTES;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer, offset + buffer.position());
      }
    }
  }

  void endFill(int firstPage, int endPage, boolean isWritten) {
    filling--;
    if (isWritten) {
      unforced = true;
      filled.set(firstPage, endPage);
    }
  }

  /// How often it was used of late: the number of periods in which it was touched, halved for every
  /// second period since.
  int heat(long period) {
    if (touched) {
      touched = false;
      frequency = Math.min(FREQUENCY_MAX, decayed(period) + 1);
      touchedPeriod = period;
    }
    return decayed(period);
  }

  long touchedPeriod() {
    return touchedPeriod;
  }

  private int decayed(long period) {
    return frequency >> Math.min(31, (period - touchedPeriod) / 2);
  }

  /// Deletes the file; the mapping stays readable until it is unmapped.
  void retire() throws IOException {
    retired = true;
    lent = null;
    Files.deleteIfExists(file);
  }

  /// Readers that still look at it get `IllegalStateException`. A thread that is inside a read at
  /// this very moment is also marked as interrupted by the JVM, which is why retired regions are
  /// left alone for a while first.
  void unmap() {
    arena.close();
  }
}
