package dev.holdfast.blobcache.blob;

import java.util.zip.CRC32C;

/// The crc32c of each page of a blob's files, as the blob's tail carries them: what a read is
/// checked against. Immutable.
public final class PageChecksums {
  /// Small enough that a random read fetches little more than it needs, and large enough that the
  /// checksums are a sixteen-thousandth of the blob.
  public static final int PAGE_BYTES = 64 << 10;

  private final long covered;
  private final int[] crcs;

  /// @param covered the bytes of the blob, from its beginning, that are files
  /// @param crcs of each page of them; the last may be shorter
  public PageChecksums(long covered, int[] crcs) {
    if (crcs.length != pages(covered)) {
      throw new IllegalArgumentException(
          "not a checksum a page [bytes=" + covered + ", checksums=" + crcs.length + "]");
    }
    this.covered = covered;
    this.crcs = crcs.clone();
  }

  /// How many pages so many bytes have.
  public static int pages(long bytes) {
    return Math.toIntExact((bytes + PAGE_BYTES - 1) / PAGE_BYTES);
  }

  public static int crc(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  /// The bytes of the blob that are covered, from its beginning.
  public long covered() {
    return covered;
  }

  public int pages() {
    return crcs.length;
  }

  public int crcOf(int page) {
    return crcs[page];
  }

  /// Where the page begins in the blob.
  public static long start(int page) {
    return (long) page * PAGE_BYTES;
  }

  /// Where the page ends in the blob.
  public long end(int page) {
    return Math.min(covered, start(page) + PAGE_BYTES);
  }

  /// Where the page that holds the byte begins.
  public static long floor(long position) {
    return position - position % PAGE_BYTES;
  }

  /// Where the page ends that holds the byte before `position`.
  public static long ceiling(long position) {
    return floor(position + PAGE_BYTES - 1);
  }

  /// Whether the page is as it was written.
  public boolean matches(int page, byte[] bytes, int offset) {
    return crc(bytes, offset, (int) (end(page) - start(page))) == crcs[page];
  }

  /// Where the first page begins that is not as it was written, or is cut off; -1 when all are.
  /// Bytes behind the files are no page's.
  ///
  /// @param start of the bytes in the blob, where a page begins
  public long firstDamaged(long start, byte[] bytes) {
    for (long at = start; at < Math.min(covered, start + bytes.length); at += PAGE_BYTES) {
      int page = (int) (at / PAGE_BYTES);
      boolean isWhole = end(page) - start <= bytes.length;
      if (!isWhole || !matches(page, bytes, (int) (at - start))) {
        return at;
      }
    }
    return -1;
  }
}
