package dev.holdfast.compoundcommit.blob;

import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.NewerFormatException;
import dev.holdfast.world.Promise;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The last 32 bytes of a blob, of the same shape in every version: magic, version, where the hot
/// region begins, its length, the lengths of the directory and of the checksums, crc32c;
/// little-endian. The checksums follow the hot region, then come the directory and the trailer.
public record BlobTrailer(long hotOffset, int hotLength, int checksumsLength, int directoryLength) {
  static final int BYTES = 32;

  /// Version 1 had neither checksums of pages nor what it carries for the state.
  static final int VERSION = 3;

  static final int SECTION_BYTES_MAX = 64 << 20;

  /// "HFCC": a Holdfast of compound commits.
  private static final int MAGIC = 'H' | 'F' << 8 | 'C' << 16 | 'C' << 24;

  public byte[] write() {
    Promise.keep(
        isSection(hotLength) && isSection(checksumsLength) && isSection(directoryLength),
        "sections are written that can be read",
        "trailer",
        this);
    ByteBuffer trailer = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    trailer.putInt(MAGIC).putInt(VERSION).putLong(hotOffset).putInt(hotLength);
    trailer.putInt(directoryLength).putInt(checksumsLength);
    return trailer.putInt(BlobSection.crc(trailer.array(), 0, BYTES - 4)).array();
  }

  /// @param tail the end of the blob, at least the trailer
  /// @param blobLength of the whole blob
  static BlobTrailer read(String blob, byte[] tail, long blobLength) throws IOException {
    int at = tail.length - BYTES;
    if (at < 0) {
      throw new CorruptObjectException(blob, "shorter than its trailer");
    }
    ByteBuffer trailer = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN);
    if (trailer.getInt(at) != MAGIC
        || trailer.getInt(at + BYTES - 4) != BlobSection.crc(tail, at, BYTES - 4)) {
      throw new CorruptObjectException(blob, "magic or checksum of the trailer");
    }
    int version = trailer.getInt(at + 4);
    if (version > VERSION) {
      throw new NewerFormatException(blob, version, VERSION);
    }
    if (version < VERSION) {
      throw new CorruptObjectException(
          blob, "format " + version + " is of an earlier holdfast and has no checksums of pages");
    }
    BlobTrailer read =
        new BlobTrailer(
            trailer.getLong(at + 8),
            trailer.getInt(at + 16),
            trailer.getInt(at + 24),
            trailer.getInt(at + 20));
    boolean fits =
        read.hotOffset >= 0
            && isSection(read.hotLength)
            && isSection(read.checksumsLength)
            && isSection(read.directoryLength)
            && read.directoryOffset() + read.directoryLength + BYTES == blobLength;
    if (!fits) {
      throw new CorruptObjectException(blob, "lengths do not add up to " + blobLength);
    }
    return read;
  }

  long checksumsOffset() {
    return hotOffset + hotLength;
  }

  long directoryOffset() {
    return checksumsOffset() + checksumsLength;
  }

  private static boolean isSection(int length) {
    return length >= 0 && length <= SECTION_BYTES_MAX;
  }
}
