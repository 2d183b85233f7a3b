package dev.holdfast.compoundcommit.batch;

import dev.holdfast.blobcache.blob.PageChecksums;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.NavigableMap;
import java.util.zip.CRC32;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexInput;

/// The checksums of a batch's pages, made when a commit is appended: its files have just been
/// written, and Lucene's footers say whether they still are what was written. From then on whatever
/// leaves the batch is checked against them, so that a disk that rots damages nothing but itself.
/// Not thread-safe but for what it returns.
final class BatchChecksums {
  private int[] crcs = new int[16];
  private long covered;

  /// Refuses a file that is not what Lucene wrote.
  ///
  /// @throws CorruptIndexException when it does not match its footer
  void checkFooters(Collection<BatchedFile> files) throws IOException {
    byte[] buffer = new byte[PageChecksums.PAGE_BYTES];
    for (BatchedFile file : files) {
      IndexInput in = file.bytes().clone();
      long expected = CodecUtil.retrieveChecksum(in);
      CRC32 crc = new CRC32();
      in.seek(0);
      long left = in.length() - Long.BYTES;
      while (left > 0) {
        int length = (int) Math.min(left, buffer.length);
        in.readBytes(buffer, 0, length);
        crc.update(buffer, 0, length);
        left -= length;
      }
      if (crc.getValue() != expected) {
        throw new CorruptIndexException(
            "a file of this node's own disk is damaged [file=" + file.name() + "]", in);
      }
    }
  }

  /// Covers what was appended: the batch's bytes up to `end`.
  ///
  /// @throws CorruptObjectException when the page where the last commit ended is not any more what
  ///   it was
  void extend(String blob, NavigableMap<Long, BatchedFile> files, long end) throws IOException {
    byte[] buffer = new byte[(int) Math.min(PageChecksums.PAGE_BYTES, end)];
    int[] now = Arrays.copyOf(crcs, Math.max(crcs.length, PageChecksums.pages(end)));
    int first = (int) (covered / PageChecksums.PAGE_BYTES);
    for (int page = first; page < PageChecksums.pages(end); page++) {
      long start = PageChecksums.start(page);
      int length = (int) Math.min(PageChecksums.PAGE_BYTES, end - start);
      BatchBytes.read(files, start, buffer, 0, length);
      int before = page == first ? (int) (covered - start) : 0;
      if (before > 0 && PageChecksums.crc(buffer, 0, before) != crcs[page]) {
        throw CorruptObjectException.page(blob, start);
      }
      now[page] = PageChecksums.crc(buffer, 0, length);
    }
    crcs = now;
    covered = end;
  }

  /// Of this moment.
  PageChecksums now() {
    return new PageChecksums(covered, Arrays.copyOf(crcs, PageChecksums.pages(covered)));
  }
}
