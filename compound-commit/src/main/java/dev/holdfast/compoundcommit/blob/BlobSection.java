package dev.holdfast.compoundcommit.blob;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.Promise;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// A checked, compressed part of a blob: raw length (4 bytes), zstd frame, crc32c of all before (4
/// bytes); little-endian.
public final class BlobSection {
  private static final int LEVEL = 3;

  /// What is longer is not read again: nobody may write it.
  public static final int RAW_BYTES_MAX = 256 << 20;

  private BlobSection() {}

  /// @param raw at most [#RAW_BYTES_MAX] bytes
  public static byte[] write(byte[] raw) {
    requireReadable(raw.length);
    byte[] frame = Zstd.compress(raw, LEVEL);
    ByteBuffer section = ByteBuffer.allocate(frame.length + 8).order(ByteOrder.LITTLE_ENDIAN);
    section.putInt(raw.length).put(frame);
    return section.putInt(crc(section.array(), 0, frame.length + 4)).array();
  }

  static void requireReadable(int rawLength) {
    Promise.keep(
        rawLength <= RAW_BYTES_MAX, "a section is written that can be read", "bytes", rawLength);
  }

  /// What [#write] gave.
  ///
  /// @param blob for messages: the object's key
  /// @throws CorruptObjectException when it is not that
  public static byte[] read(String blob, byte[] bytes, int offset, int length)
      throws CorruptObjectException {
    ByteBuffer section = ByteBuffer.wrap(bytes, offset, length).order(ByteOrder.LITTLE_ENDIAN);
    if (length < 8 || section.getInt(offset + length - 4) != crc(bytes, offset, length - 4)) {
      throw new CorruptObjectException(blob, "checksum of a section");
    }
    int rawLength = section.getInt(offset);
    if (rawLength < 0 || rawLength > RAW_BYTES_MAX) {
      throw new CorruptObjectException(blob, "length of a section " + rawLength);
    }
    try {
      byte[] raw = new byte[rawLength];
      long got = Zstd.decompressByteArray(raw, 0, rawLength, bytes, offset + 4, length - 8);
      if (got != rawLength) {
        throw new CorruptObjectException(blob, "a section does not decompress [code=" + got + "]");
      }
      return raw;
    } catch (ZstdException e) {
      throw new CorruptObjectException(blob, "a section does not decompress", e);
    }
  }

  static int crc(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }
}
