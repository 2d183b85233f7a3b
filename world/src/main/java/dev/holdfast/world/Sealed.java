package dev.holdfast.world;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// Bytes of a small object with their kind, format version and checksum in front: a flipped byte is
/// refused, and data of a newer format says so.
///
/// Layout: 4 bytes magic (the kind), 4 bytes version, 4 bytes CRC-32C of the payload, 4 bytes
/// payload length, payload; big-endian.
public final class Sealed {
  /// In front of the payload.
  public static final int HEADER_BYTES = 16;

  private Sealed() {}

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
    header.putInt(checksum(sealed)).putInt(sealed.length - HEADER_BYTES);
    return sealed;
  }

  /// The payload, checked.
  ///
  /// @param name for messages: the object's key
  /// @throws NewerFormatException when `version` is older than what was written
  /// @throws IOException when the bytes are not whole
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
      throw new IOException("object is not of its kind [key=" + name + ", kind=" + magic + "]");
    }
    int written = in.getInt();
    if (written > version) {
      throw new NewerFormatException(name, written, version);
    }
    int checksum = in.getInt();
    if (in.getInt() != sealed.length - HEADER_BYTES) {
      throw new IOException("object is cut off or too long [key=" + name + "]");
    }
    if (written < 1 || checksum(sealed) != checksum) {
      throw new IOException("object does not match its checksum [key=" + name + "]");
    }
    return written;
  }

  private static int checksum(byte[] sealed) {
    CRC32C crc = new CRC32C();
    crc.update(sealed, HEADER_BYTES, sealed.length - HEADER_BYTES);
    return (int) crc.getValue();
  }
}
