package dev.holdfast.world;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/// Bytes of a small object with their kind, format version and checksum in front: a flipped byte is
/// refused, and data of a newer format says so.
///
/// Layout: 4 bytes magic (the kind), 4 bytes version, 4 bytes CRC-32C of the payload, 4 bytes
/// payload length, payload; big-endian.
public final class Sealed {
  private static final int HEADER_BYTES = 16;

  private Sealed() {}

  /// @param magic four ASCII characters that name the kind
  public static byte[] seal(String magic, int version, byte[] payload) {
    ByteBuffer sealed = ByteBuffer.allocate(HEADER_BYTES + payload.length);
    sealed.put(magic.getBytes(StandardCharsets.US_ASCII)).putInt(version);
    sealed.putInt(checksum(payload)).putInt(payload.length).put(payload);
    return sealed.array();
  }

  /// The payload, checked.
  ///
  /// @param name for messages: the object's key
  /// @throws NewerFormatException when `version` is older than what was written
  /// @throws IOException when the bytes are not whole
  public static byte[] open(String magic, int version, byte[] sealed, String name)
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
    int length = in.getInt();
    if (length != sealed.length - HEADER_BYTES) {
      throw new IOException("object is cut off or too long [key=" + name + "]");
    }
    byte[] payload = new byte[length];
    in.get(payload);
    if (written < 1 || checksum(payload) != checksum) {
      throw new IOException("object does not match its checksum [key=" + name + "]");
    }
    return payload;
  }

  private static int checksum(byte[] payload) {
    CRC32C crc = new CRC32C();
    crc.update(payload);
    return (int) crc.getValue();
  }
}
