package dev.holdfast.compoundcommit.blob;

import dev.holdfast.blobcache.blob.HotRegion;
import dev.holdfast.blobcache.blob.PageChecksums;
import dev.holdfast.compoundcommit.BlobId;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The end of an uploaded blob: trailer, directory, checksums and hot region, read with one suffix
/// GET when they are as small as usual.
public final class BlobTail {
  /// Where the directory of nearly every blob fits in, and the hot region of most.
  static final int GUESS_BYTES = 256 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(BlobTail.class);

  private final ObjectStore store;
  private final String key;
  private final byte[] suffix;
  private final long suffixStart;
  private final BlobTrailer trailer;

  private BlobTail(
      ObjectStore store, String key, byte[] suffix, long suffixStart, BlobTrailer trailer) {
    this.store = store;
    this.key = key;
    this.suffix = suffix;
    this.suffixStart = suffixStart;
    this.trailer = trailer;
  }

  /// What is wanted of a tail.
  @FunctionalInterface
  public interface Wanted<T> {
    T of(BlobTail tail) throws IOException;
  }

  /// Reads a part of a blob's tail; a second time, when the first was damaged: it may have been on
  /// its way.
  ///
  /// @throws CorruptObjectException when the store has it damaged
  public static <T> T read(ObjectStore store, String key, Wanted<T> wanted) throws IOException {
    try {
      return wanted.of(read(store, key));
    } catch (CorruptObjectException e) {
      LOG.warn("the end of a blob is damaged, reading it again: {}", e.getMessage());
      return wanted.of(read(store, key));
    }
  }

  private static BlobTail read(ObjectStore store, String key) throws IOException {
    ObjectStore.Suffix suffix = store.getSuffix(key, GUESS_BYTES);
    BlobTrailer trailer = BlobTrailer.read(key, suffix.bytes(), suffix.objectLength());
    return new BlobTail(
        store, key, suffix.bytes(), suffix.objectLength() - suffix.bytes().length, trailer);
  }

  public String key() {
    return key;
  }

  public CommitDirectory directory() throws IOException {
    return CommitDirectory.read(key, section(trailer.directoryOffset(), trailer.directoryLength()));
  }

  public long blobLength() {
    return suffixStart + suffix.length;
  }

  /// Bytes of the hot region as it is stored.
  public int hotLength() {
    return trailer.hotLength();
  }

  /// With the checksums of the blob's pages.
  public HotRegion hot() throws IOException {
    byte[] section = section(trailer.hotOffset(), trailer.hotLength());
    return HotRanges.read(key, section, checksums());
  }

  public PageChecksums checksums() throws IOException {
    return ChecksumTable.read(
        key, section(trailer.checksumsOffset(), trailer.checksumsLength()), trailer.hotOffset());
  }

  /// Checks the tail itself, whatever of it is needed.
  void check() throws IOException {
    HotRegion _ = hot();
    CommitDirectory directory = directory();
    if (BlobId.isKey(key) && !BlobId.isInheritedKey(key)) {
      directory.requireIsOf(key);
    }
  }

  private byte[] section(long offset, int length) throws IOException {
    if (offset >= suffixStart) {
      return BlobSection.read(key, suffix, (int) (offset - suffixStart), length);
    }
    byte[] section = store.getRange(key, offset, length);
    return BlobSection.read(key, section, 0, section.length);
  }
}
