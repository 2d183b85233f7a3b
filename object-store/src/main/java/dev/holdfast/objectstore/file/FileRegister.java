package dev.holdfast.objectstore.file;

import dev.holdfast.objectstore.ObjectStore.Version;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32C;

/// The file of an object written by compare-and-set: a header with a token that no other write ever
/// has, then the bytes.
///
/// Header, 32 bytes, big-endian: magic (8), store instance (8), number of the write by that
/// instance (8), CRC32C of instance, number and bytes (4), zero (4).
///
/// @param token opaque, unique for each write
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
record FileRegister(String token, byte[] bytes) {
  static final int HEADER_LENGTH = 32;
  private static final long MAGIC = 0x484f4c4446524731L; // "HOLDFRG1"

  static String token(long instance, long number) {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(instance) + hex.toHexDigits(number);
  }

  static byte[] encode(long instance, long number, byte[] bytes) {
    return ByteBuffer.allocate(HEADER_LENGTH + bytes.length)
        .putLong(MAGIC)
        .putLong(instance)
        .putLong(number)
        .putInt(checksum(instance, number, bytes, 0))
        .putInt(0)
        .put(bytes)
        .array();
  }

  /// What lies in a file; empty when there is none.
  static Optional<FileRegister> read(String key, Path file) throws IOException {
    try {
      return Optional.of(decode(key, Files.readAllBytes(file)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      // To read it again and again would make no file of it.
      throw Files.isDirectory(file) ? damaged(key, "a folder lies in its place", new byte[0]) : e;
    }
  }

  /// @throws StoreException.Denied with the version of the file, when it is not what [#encode]
  ///   wrote
  static FileRegister decode(String key, byte[] file) throws StoreException {
    ByteBuffer header = ByteBuffer.wrap(file);
    if (file.length < HEADER_LENGTH || header.getLong() != MAGIC) {
      throw damaged(key, "no header", file);
    }
    long instance = header.getLong();
    long number = header.getLong();
    int checksum = header.getInt();
    if (header.getInt() != 0 || checksum != checksum(instance, number, file, HEADER_LENGTH)) {
      throw damaged(key, "wrong checksum", file);
    }
    byte[] bytes = new byte[file.length - HEADER_LENGTH];
    System.arraycopy(file, HEADER_LENGTH, bytes, 0, bytes.length);
    return new FileRegister(token(instance, number), bytes);
  }

  /// No write makes a version like the one of what is damaged.
  private static StoreException damaged(String key, String how, byte[] file) {
    CRC32C crc = new CRC32C();
    crc.update(file);
    return StoreException.Denied.damaged(
        "register damaged: " + how + " [key=" + key + "]",
        new CorruptObjectException(key, how),
        new Version("damaged-" + HexFormat.of().toHexDigits(crc.getValue()) + "-" + file.length));
  }

  private static int checksum(long instance, long number, byte[] bytes, int offset) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(16).putLong(instance).putLong(number).flip());
    crc.update(bytes, offset, bytes.length - offset);
    return (int) crc.getValue();
  }
}
