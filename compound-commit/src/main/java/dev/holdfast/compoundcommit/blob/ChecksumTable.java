package dev.holdfast.compoundcommit.blob;

import dev.holdfast.blobcache.blob.PageChecksums;
import dev.holdfast.world.CorruptObjectException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The checksums of a blob's pages as its tail carries them: bytes of a page (4), how many bytes of
/// the blob are covered (8), a crc32c for each page (4); little-endian.
public final class ChecksumTable {
  private static final int HEAD_BYTES = 12;

  private ChecksumTable() {}

  /// As a section of its own.
  public static byte[] write(PageChecksums checksums) {
    ByteBuffer out =
        ByteBuffer.allocate(HEAD_BYTES + checksums.pages() * Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(PageChecksums.PAGE_BYTES).putLong(checksums.covered());
    for (int page = 0; page < checksums.pages(); page++) {
      out.putInt(checksums.crcOf(page));
    }
    return BlobSection.write(out.array());
  }

  /// @param raw the section's content
  /// @param filesEnd where the trailer says that the blob's files end
  static PageChecksums read(String blob, byte[] raw, long filesEnd) throws CorruptObjectException {
    ByteBuffer in = ByteBuffer.wrap(raw).order(ByteOrder.LITTLE_ENDIAN);
    boolean fits =
        raw.length >= HEAD_BYTES
            && in.getInt() == PageChecksums.PAGE_BYTES
            && in.getLong() == filesEnd
            && in.remaining() == (long) PageChecksums.pages(filesEnd) * Integer.BYTES;
    if (!fits) {
      throw new CorruptObjectException(blob, "checksums of pages do not fit");
    }
    int[] crcs = new int[in.remaining() / Integer.BYTES];
    in.asIntBuffer().get(crcs);
    return new PageChecksums(filesEnd, crcs);
  }
}
