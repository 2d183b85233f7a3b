package dev.holdfast.compoundcommit;

import dev.holdfast.blobcache.HotRegion;
import dev.holdfast.blobcache.PageChecksums;
import dev.holdfast.objectstore.ObjectStore;
import java.io.IOException;

/// The end of an uploaded blob: trailer, directory, checksums and hot region, read with one suffix
/// GET when they are as small as usual.
final class BlobTail {
  /// Where the directory of nearly every blob fits in, and the hot region of most.
  static final int GUESS_BYTES = 256 << 10;

  private final ObjectStore store;
  private final String key;
  private final byte[] suffix;
  private final long suffixStart;
  private final Trailer trailer;

  private BlobTail(
      ObjectStore store, String key, byte[] suffix, long suffixStart, Trailer trailer) {
    this.store = store;
    this.key = key;
    this.suffix = suffix;
    this.suffixStart = suffixStart;
    this.trailer = trailer;
  }

  static BlobTail read(ObjectStore store, String key) throws IOException {
    ObjectStore.Suffix suffix = store.getSuffix(key, GUESS_BYTES);
    Trailer trailer = Trailer.read(key, suffix.bytes(), suffix.objectLength());
    return new BlobTail(
        store, key, suffix.bytes(), suffix.objectLength() - suffix.bytes().length, trailer);
  }

  String key() {
    return key;
  }

  CommitDirectory directory() throws IOException {
    return CommitDirectory.read(key, section(trailer.directoryOffset(), trailer.directoryLength()));
  }

  long blobLength() {
    return suffixStart + suffix.length;
  }

  /// Bytes of the hot region as it is stored.
  int hotLength() {
    return trailer.hotLength();
  }

  /// With the checksums of the blob's pages.
  HotRegion hot() throws IOException {
    byte[] section = section(trailer.hotOffset(), trailer.hotLength());
    return HotRanges.read(key, section, checksums());
  }

  PageChecksums checksums() throws IOException {
    return ChecksumTable.read(
        key, section(trailer.checksumsOffset(), trailer.checksumsLength()), trailer.hotOffset());
  }

  /// Checks the tail itself, whatever of it is needed.
  void check() throws IOException {
    HotRegion _ = hot();
    CommitDirectory _ = directory();
  }

  private byte[] section(long offset, int length) throws IOException {
    if (offset >= suffixStart) {
      return Section.read(key, suffix, (int) (offset - suffixStart), length);
    }
    byte[] section = store.getRange(key, offset, length);
    return Section.read(key, section, 0, section.length);
  }
}
