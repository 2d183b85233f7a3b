package dev.holdfast.compoundcommit.batch;

import dev.holdfast.blobcache.blob.PageChecksums;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.util.NavigableMap;

/// Reads the files of a batch page by page, each checked: local disks rot, and what leaves the node
/// would be damaged for good. Not thread-safe.
final class BatchPages {
  private final String blob;
  private final NavigableMap<Long, BatchedFile> files;
  private final PageChecksums checksums;
  private byte[] page = new byte[0];
  private int number = -1;

  /// @param blob its key, for messages
  BatchPages(String blob, NavigableMap<Long, BatchedFile> files, PageChecksums checksums) {
    this.blob = blob;
    this.files = files;
    this.checksums = checksums;
  }

  /// Copies bytes from the page that holds `offset`, which is covered.
  ///
  /// @return how many
  /// @throws CorruptObjectException when the page is not what was written
  int read(long offset, byte[] into, int intoOffset, int length) throws IOException {
    int wanted = (int) (offset / PageChecksums.PAGE_BYTES);
    if (wanted != number) {
      load(wanted);
    }
    int at = (int) (offset - PageChecksums.start(wanted));
    int count = (int) Math.min(length, checksums.end(wanted) - offset);
    System.arraycopy(page, at, into, intoOffset, count);
    return count;
  }

  /// Bytes that are all covered.
  byte[] read(long offset, int length) throws IOException {
    byte[] bytes = new byte[length];
    for (int done = 0; done < length; ) {
      done += read(offset + done, bytes, done, length - done);
    }
    return bytes;
  }

  /// Reads all there is.
  void check() throws IOException {
    for (int at = 0; at < checksums.pages(); at++) {
      load(at);
    }
  }

  private void load(int wanted) throws IOException {
    number = -1;
    int length = (int) (checksums.end(wanted) - PageChecksums.start(wanted));
    if (page.length < length) {
      page = new byte[length];
    }
    BatchBytes.read(files, PageChecksums.start(wanted), page, 0, length);
    if (!checksums.matches(wanted, page, 0)) {
      throw CorruptObjectException.page(blob, PageChecksums.start(wanted));
    }
    number = wanted;
  }
}
