package dev.holdfast.blobcache.region;

import dev.holdfast.blobcache.blob.BlobInputs;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A slice of one blob in the cache: a sparse file, mapped, of which some pages are filled. A file
/// belongs to one region for ever, and an evicted region is retired, then unmapped: no reader can
/// see the bytes of another blob. Fields are guarded by the cache's lock, but for `touched` and
/// `retired`.
public final class Region {
  public static final int BYTES = 16 << 20;
  public static final int PAGES = BYTES / BlobInputs.PAGE_BYTES;
  private static final int FREQUENCY_MAX = 100;

  /// Behind the pages lie their checksums, for the next life: crc32c, four bytes each.
  private static final int FILE_BYTES = BYTES + PAGES * Integer.BYTES;

  private static final ValueLayout.OfInt CHECKSUM =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  final RegionKey key;

  /// The number of its file.
  final long number;

  private final Path file;
  private final Arena arena;
  private final MemorySegment mapped;
  private final BitSet filled;

  /// Pages of an earlier life that nobody has checked yet; they are filled.
  private final BitSet unchecked;

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
    this.filled = (BitSet) entry.filled().clone();
    this.unchecked = (BitSet) entry.filled().clone();
    this.frequency = entry.frequency();
    this.touchedPeriod = period;
  }

  /// A region of an earlier life; its file must be whole.
  static Region restore(CacheMap.Entry entry, Path file, long period) throws IOException {
    Arena arena = Arena.ofShared();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() != FILE_BYTES) {
        throw new IOException("not a whole region [file=" + file + "]");
      }
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, FILE_BYTES, arena);
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
      channel.write(ByteBuffer.allocate(1), FILE_BYTES - 1L);
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, FILE_BYTES, arena);
      CacheMap.Entry empty = new CacheMap.Entry(number, key, 0, new BitSet(PAGES));
      return new Region(empty, file, arena, mapped, period);
    } catch (IOException | RuntimeException e) {
      arena.close();
      Files.deleteIfExists(file);
      throw e;
    }
  }

  public boolean holds(int page) {
    return filled.get(page);
  }

  public int missing(int firstPage, int endPage) {
    return endPage - firstPage - filled.get(firstPage, endPage).cardinality();
  }

  /// The first page from `page` on that is not filled.
  public int nextMissing(int page) {
    return filled.nextClearBit(page);
  }

  /// Whether the page is of an earlier life and must be checked before it is read.
  public boolean isUnchecked(int page) {
    return unchecked.get(page);
  }

  /// The first such page of these; -1 for none.
  public int firstUnchecked(int firstPage, int endPage) {
    int found = unchecked.nextSetBit(firstPage);
    return found < endPage ? found : -1;
  }

  /// All such pages of these.
  BitSet unchecked(int firstPage, int endPage) {
    BitSet pages = (BitSet) unchecked.clone();
    pages.clear(0, firstPage);
    pages.clear(endPage, PAGES);
    return pages;
  }

  /// Those of these pages that are not what was written; called without the lock.
  BitSet damaged(BitSet pages) {
    BitSet damaged = new BitSet();
    for (int page = pages.nextSetBit(0); page >= 0; page = pages.nextSetBit(page + 1)) {
      MemorySegment bytes =
          mapped.asSlice((long) page * BlobInputs.PAGE_BYTES, BlobInputs.PAGE_BYTES);
      CRC32C crc = new CRC32C();
      crc.update(bytes.asByteBuffer());
      if ((int) crc.getValue() != mapped.get(CHECKSUM, BYTES + (long) page * Integer.BYTES)) {
        damaged.set(page);
      }
    }
    return damaged;
  }

  /// Forgets the damaged pages of those that were checked.
  ///
  /// @return how many: not those that another check has forgotten meanwhile
  int endCheck(BitSet pages, BitSet damaged) {
    filling--;
    damaged.and(unchecked);
    unchecked.andNot(pages);
    filled.andNot(damaged);
    return damaged.cardinality();
  }

  /// The filled pages around a filled page that need no check.
  public Window window(int page, boolean isUse) {
    int first = Math.max(filled.previousClearBit(page), unchecked.previousSetBit(page)) + 1;
    int end = filled.nextClearBit(page);
    int stop = unchecked.nextSetBit(page);
    end = stop < 0 ? end : Math.min(end, stop);
    long offset = (long) first * BlobInputs.PAGE_BYTES;
    long length = (long) (end - first) * BlobInputs.PAGE_BYTES;
    return new Window(mapped.asSlice(offset, length), key.start() + offset, this, isUse);
  }

  /// Bytes of filled pages as a mapping of their own that stays readable while somebody holds it:
  /// for readers that can't be told of an eviction.
  public MemorySegment lend(long offset, long length) throws IOException {
    MemorySegment whole = lent;
    if (whole == null) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        whole = channel.map(FileChannel.MapMode.READ_ONLY, 0, BYTES, Arena.ofAuto());
      }
      lent = whole;
    }
    return whole.asSlice(offset, length);
  }

  public boolean holdsAll(int firstPage, int endPage) {
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

  public void touch() {
    if (!touched) {
      touched = true;
    }
  }

  /// Whether a fill is under way: such a region is not evicted.
  boolean isFilling() {
    return filling > 0;
  }

  /// Whether it was evicted: readers are to look for another window when they next can.
  public boolean isRetired() {
    return retired;
  }

  public void beginFill() {
    filling++;
  }

  /// Writes bytes of pages that nobody reads yet; called without the lock. Written through the file
  /// rather than the mapping: a full disk is then an exception, not a crash.
  public void write(int firstPage, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      write(channel, ByteBuffer.wrap(bytes), (long) firstPage * BlobInputs.PAGE_BYTES);
      write(channel, checksums(bytes), BYTES + (long) firstPage * Integer.BYTES);
    }
  }

  private static void write(FileChannel channel, ByteBuffer from, long offset) throws IOException {
    while (from.hasRemaining()) {
      channel.write(from, offset + from.position());
    }
  }

  /// Of each page; behind a blob's end are zeros.
  private static ByteBuffer checksums(byte[] bytes) {
    int pages = pagesUp(bytes.length);
    ByteBuffer checksums =
        ByteBuffer.allocate(pages * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    CRC32C crc = new CRC32C();
    for (int at = 0; at < bytes.length; at += BlobInputs.PAGE_BYTES) {
      int length = Math.min(BlobInputs.PAGE_BYTES, bytes.length - at);
      crc.reset();
      crc.update(bytes, at, length);
      crc.update(new byte[BlobInputs.PAGE_BYTES - length]);
      checksums.putInt((int) crc.getValue());
    }
    return checksums.flip();
  }

  void endFill(int firstPage, int endPage, boolean isWritten) {
    filling--;
    if (isWritten) {
      unforced = true;
      filled.set(firstPage, endPage);
      unchecked.clear(firstPage, endPage);
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

  /// How many pages so many bytes need.
  public static int pagesUp(long bytes) {
    return (int) ((bytes + BlobInputs.PAGE_BYTES - 1) / BlobInputs.PAGE_BYTES);
  }
}
