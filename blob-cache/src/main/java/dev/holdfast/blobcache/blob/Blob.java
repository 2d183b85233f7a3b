package dev.holdfast.blobcache.blob;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// An immutable sequence of bytes that is read by range: an uploaded object, or a batch that its
/// indexing node still holds.
public interface Blob {
  /// Names it for ever: the object's key.
  String key();

  /// Reads bytes `[offset, offset + length)` from where the blob lies; a round trip. Fewer only
  /// when the blob ends before; a batch that still grows ends, for now, at a multiple of
  /// [BlobInputs#PAGE_BYTES].
  byte[] read(long offset, int length) throws IOException;

  /// Whether a read that fails is tried until it succeeds, however long that takes: who reads so
  /// does not fail because another reader of the same bytes has given up.
  default boolean isTriedForever() {
    return false;
  }

  /// The file of this machine that is the blob, for stores whose objects are files: mapped, never
  /// cached.
  default Optional<Path> localFile() {
    return Optional.empty();
  }

  /// The ranges that readers touch while they open, in one round trip; empty when the blob has none
  /// (yet). The cache asks at the first miss and keeps the answer.
  default Optional<HotRegion> readHot() throws IOException {
    return Optional.empty();
  }

  /// The checksums of the blob's pages; a round trip. Empty when the blob has none: what is read of
  /// it is checked on the way, or cannot be checked.
  default Optional<PageChecksums> readChecksums() throws IOException {
    return readHot().flatMap(hot -> Optional.ofNullable(hot.checksums()));
  }
}
