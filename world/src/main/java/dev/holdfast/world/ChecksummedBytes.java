package dev.holdfast.world;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// Bytes of a small object with their kind, format version and checksum in front: a flipped byte is
/// refused, and data of a newer format says so.
///
/// Layout: 4 bytes magic (the kind), 4 bytes version, 4 bytes CRC-32C, 4 bytes payload length,
/// payload; big-endian. The checksum is of the payload; from version 2 on of magic and version too,
/// so that no flipped bit makes an older version of a newer one, nor the other way round: what is
/// of a newer version is only what a newer build has sealed. All versions have this layout.
public final class ChecksummedBytes {
  /// In front of the payload.
  public static final int HEADER_BYTES = 16;

  /// Magic and version.
  private static final int CHECKED_HEADER_BYTES = 8;

  private ChecksummedBytes() {}

  /// @param magic four ASCII characters that name the kind
  public static byte[] seal(String magic, int version, byte[] payload) {
    byte[] sealed = new byte[HEADER_BYTES + payload.length];
    System.arraycopy(payload, 0, sealed, HEADER_BYTES, payload.length);
    return sealInPlace(magic, version, sealed);
  }

  /// Writes what goes in front of a payload that begins at [#HEADER_BYTES].
  ///
  /// @return `sealed` itself
  public static byte[] sealInPlace(String magic, int version, byte[] sealed) {
    ByteBuffer header = ByteBuffer.wrap(sealed);
    header.put(magic.getBytes(StandardCharsets.US_ASCII)).putInt(version);
    header.putInt(checksum(sealed, version)).putInt(sealed.length - HEADER_BYTES);
    return sealed;
  }

  /// The payload, checked.
  ///
  /// @param name for messages: the object's key
  /// @throws NewerFormatException when `version` is older than what was written
  /// @throws CorruptObjectException when the bytes are not what was sealed
  public static byte[] open(String magic, int version, byte[] sealed, String name)
      throws IOException {
    int _ = check(magic, version, sealed, name);
    return Arrays.copyOfRange(sealed, HEADER_BYTES, sealed.length);
  }

  /// Checks bytes whose payload is read where it is, from [#HEADER_BYTES] on.
  ///
  /// @return the format version; errors as of [#open]
  public static int check(String magic, int version, byte[] sealed, String name)
      throws IOException {
    ByteBuffer in = ByteBuffer.wrap(sealed);
    byte[] found = new byte[4];
    if (sealed.length < HEADER_BYTES
        || !new String(in.get(found).array(), 0, 4, StandardCharsets.US_ASCII).equals(magic)) {
      throw new CorruptObjectException(name, "not of its kind " + magic);
    }
    int written = in.getInt();
    int checksum = in.getInt();
    if (in.getInt() != sealed.length - HEADER_BYTES) {
      throw new CorruptObjectException(name, "cut off or too long");
    }
    if (written < 1 || checksum(sealed, written) != checksum) {
      throw new CorruptObjectException(name, "it does not match its checksum");
    }
    if (written > version) {
      throw new NewerFormatException(name, written, version);
    }
    return written;
  }

  /// Checks that the bytes are what was sealed, in whatever version.
  ///
  /// @throws CorruptObjectException when they are not
  public static void check(String magic, byte[] sealed, String name) throws IOException {
    int _ = check(magic, Integer.MAX_VALUE, sealed, name);
  }

  private static int checksum(byte[] sealed, int version) {
    CRC32C crc = new CRC32C();
    if (version > 1) {
      crc.update(sealed, 0, CHECKED_HEADER_BYTES);
    }
    crc.update(sealed, HEADER_BYTES, sealed.length - HEADER_BYTES);
    return (int) crc.getValue();
  }
}
