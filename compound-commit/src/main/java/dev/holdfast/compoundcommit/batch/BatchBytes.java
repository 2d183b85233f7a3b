package dev.holdfast.compoundcommit.batch;

import dev.holdfast.objectstore.BodyException;
import dev.holdfast.world.CorruptObjectException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;

/// The bytes of a batch: its files where they lie, zeros between them, each page checked, then its
/// tail.
final class BatchBytes extends InputStream {
  private final BatchPages pages;
  private final long filesEnd;
  private final byte[] tail;
  private long position;

  /// @param filesEnd where the tail begins
  BatchBytes(BatchPages pages, long filesEnd, byte[] tail) {
    this.pages = pages;
    this.filesEnd = filesEnd;
    this.tail = tail;
  }

  /// Reads files and the zeros between and after them.
  static void read(
      NavigableMap<Long, BatchedFile> files, long offset, byte[] into, int intoOffset, int length)
      throws IOException {
    java.util.Arrays.fill(into, intoOffset, intoOffset + length, (byte) 0);
    long end = offset + length;
    Long from = files.floorKey(offset);
    for (Map.Entry<Long, BatchedFile> entry :
        files.subMap(from == null ? offset : from, true, end, false).entrySet()) {
      BatchedFile file = entry.getValue();
      long start = Math.max(offset, file.start());
      int count = (int) (Math.min(end, file.end()) - start);
      if (count > 0) {
        file.read(start - file.start(), into, intoOffset + (int) (start - offset), count);
      }
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, into.length);
    if (length == 0) {
      return 0;
    }
    int count;
    if (position < filesEnd) {
      count = page(into, offset, length);
    } else {
      int at = (int) (position - filesEnd);
      count = Math.min(length, tail.length - at);
      if (count == 0) {
        return -1;
      }
      System.arraycopy(tail, at, into, offset, count);
    }
    position += count;
    return count;
  }

  private int page(byte[] into, int offset, int length) throws IOException {
    try {
      return pages.read(position, into, offset, length);
    } catch (CorruptObjectException e) {
      throw new BodyException(e);
    }
  }

  @Override
  public long skip(long count) {
    long skipped = Math.clamp(count, 0, filesEnd + tail.length - position);
    position += skipped;
    return skipped;
  }
}
