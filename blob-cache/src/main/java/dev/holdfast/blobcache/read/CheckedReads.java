package dev.holdfast.blobcache.read;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.blob.PageChecksums;
import dev.holdfast.blobcache.stats.CacheCounters;
import dev.holdfast.blobcache.stats.DamagedBlobs;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads ranges of blobs and checks every page of them, however they lie: a range is widened to
/// whole pages and cut again. What is damaged is read a second time, because the way here may have
/// damaged it; damage in the store itself is an error that names the object and the offset. Bytes
/// of a blob that is not uploaded yet are checked by the call that brings them.
public final class CheckedReads {
  private static final Logger LOG = LoggerFactory.getLogger(CheckedReads.class);

  private final HedgedReads reads;
  private final HotRegions tails;
  private final CacheCounters counters;
  private final DamagedBlobs damages;

  public CheckedReads(
      HedgedReads reads, HotRegions tails, CacheCounters counters, DamagedBlobs damages) {
    this.reads = reads;
    this.tails = tails;
    this.counters = counters;
    this.damages = damages;
  }

  /// @throws CorruptObjectException when the store has it damaged
  public byte[] read(Blob blob, long offset, int length) throws IOException {
    PageChecksums checksums = tails.checksums(blob);
    if (checksums == null) {
      byte[] unchecked = reads.read(blob, offset, length);
      checksums = tails.checksums(blob);
      if (checksums == null) {
        return unchecked;
      }
      // Uploaded while it was read, perhaps from the store: read again, to be checked.
    }
    long from = PageChecksums.floor(offset);
    long to = Math.max(offset + length, Math.min(checksums.covered(), ceiling(offset + length)));
    byte[] wide = checked(blob, checksums, from, (int) (to - from));
    int skipped = (int) (offset - from);
    return skipped == 0 && wide.length <= length
        ? wide
        : Arrays.copyOfRange(
            wide, Math.min(skipped, wide.length), Math.min(skipped + length, wide.length));
  }

  private byte[] checked(Blob blob, PageChecksums checksums, long offset, int length)
      throws IOException {
    byte[] bytes = reads.read(blob, offset, length);
    long damaged = damaged(checksums, offset, length, bytes);
    if (damaged < 0) {
      damages.whole(blob.key(), offset, length);
      return bytes;
    }
    counters.damaged.increment();
    LOG.error(
        "a page does not match its checksum, reading it again [key={}, offset={}]",
        blob.key(),
        damaged);
    byte[] again = reads.read(blob, offset, length);
    long still = damaged(checksums, offset, length, again);
    if (still >= 0) {
      CorruptObjectException damage = CorruptObjectException.page(blob.key(), still);
      damages.add(damage, () -> read(blob, still, 1));
      throw damage;
    }
    return again;
  }

  /// Where the first page begins that is not as it was written, or did not come; -1 when all are.
  private long damaged(PageChecksums checksums, long offset, int length, byte[] bytes) {
    int pages = PageChecksums.pages(Math.min(checksums.covered() - offset, bytes.length));
    counters.checked.add(Math.max(0, pages));
    long damaged = checksums.firstDamaged(offset, bytes);
    long end = offset + bytes.length;
    boolean isCutOff = end < Math.min(checksums.covered(), offset + length);
    return damaged < 0 && isCutOff ? PageChecksums.floor(end) : damaged;
  }

  private static long ceiling(long position) {
    return PageChecksums.ceiling(position);
  }
}
