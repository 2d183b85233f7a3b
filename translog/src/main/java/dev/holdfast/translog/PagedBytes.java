package dev.holdfast.translog;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Bytes being written, in pages that stay where they are: nothing is copied when there are more,
/// and no array is so large that the collector must treat it apart.
final class PagedBytes {
  private static final int FIRST_PAGE_BYTES = 4 << 10;
  private static final int PAGE_BYTES = 64 << 10;

  private final List<byte[]> full = new ArrayList<>();
  private byte[] page = new byte[FIRST_PAGE_BYTES];
  private int used;
  private int fullBytes;

  int length() {
    return fullBytes + used;
  }

  void writeByte(int value) {
    if (used == page.length) {
      nextPage();
    }
    page[used++] = (byte) value;
  }

  /// Seven bits a byte, least first; not negative.
  void writeVLong(long value) {
    long rest = value;
    while (rest > 0x7f) {
      writeByte((int) (rest | 0x80));
      rest >>>= 7;
    }
    writeByte((int) rest);
  }

  void writeInt(int value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      writeByte(value >>> shift);
    }
  }

  void writeString(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    writeVLong(utf8.length);
    writeBytes(utf8, 0, utf8.length);
  }

  void writeBytes(byte[] from, int offset, int count) {
    int done = 0;
    while (done < count) {
      if (used == page.length) {
        nextPage();
      }
      int step = Math.min(count - done, page.length - used);
      System.arraycopy(from, offset + done, page, used, step);
      used += step;
      done += step;
    }
  }

  private void nextPage() {
    full.add(page);
    fullBytes = Math.addExact(fullBytes, page.length);
    page = new byte[PAGE_BYTES];
    used = 0;
  }

  /// Views onto everything written so far.
  List<ByteBuffer> views() {
    List<ByteBuffer> views = new ArrayList<>(full.size() + 1);
    full.forEach(each -> views.add(ByteBuffer.wrap(each)));
    views.add(ByteBuffer.wrap(page, 0, used));
    return views;
  }

  /// A copy in one array.
  byte[] toArray() {
    ByteBuffer all = ByteBuffer.allocate(length());
    views().forEach(all::put);
    return all.array();
  }
}
