package dev.holdfast.compoundcommit.call;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.UnicodeUtil;

/// A message while it is written: one array that grows. A record in it begins with its length in
/// bytes, so that a reader of another build skips members that it does not know. Used by one
/// thread.
public final class WireOutput extends DataOutput {
  private static final int INITIAL_BYTES = 256;

  /// A record shorter than this has a length of one byte, for which room is kept.
  private static final int SHORT_BYTES = 128;

  private byte[] bytes;
  private int size;

  private final int version;

  public WireOutput() {
    this(0, 1);
  }

  /// @param reserved bytes in front of the message, for who seals it
  /// @param version of the call that it belongs to
  WireOutput(int reserved, int version) {
    this.bytes = new byte[reserved + INITIAL_BYTES];
    this.size = reserved;
    this.version = version;
  }

  /// The version of the call that is spoken: who reads may know no later one.
  public int version() {
    return version;
  }

  /// Begins a record.
  ///
  /// @return what [#end] wants to know
  public int begin() {
    room(1);
    return ++size;
  }

  /// Ends the record that began last: its length goes in front of it.
  public void end(int begin) {
    int length = size - begin;
    if (length >= SHORT_BYTES) {
      int more = lengthBytes(length) - 1;
      room(more);
      System.arraycopy(bytes, begin, bytes, begin + more, length);
      size += more;
    }
    int at = begin - 1;
    int left = length;
    while ((left & ~0x7f) != 0) {
      bytes[at++] = (byte) ((left & 0x7f) | 0x80);
      left >>>= 7;
    }
    bytes[at] = (byte) left;
  }

  private static int lengthBytes(int length) {
    return (38 - Integer.numberOfLeadingZeros(length)) / 7;
  }

  @Override
  public void writeByte(byte b) {
    room(1);
    bytes[size++] = b;
  }

  @Override
  public void writeBytes(byte[] from, int offset, int length) {
    room(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  @Override
  public void writeString(String text) throws IOException {
    int length = UnicodeUtil.calcUTF16toUTF8Length(text, 0, text.length());
    writeVInt(length);
    room(length);
    size = UnicodeUtil.UTF16toUTF8(text, 0, text.length(), bytes, size);
  }

  /// What was written, with the bytes in front of it.
  public byte[] toArray() {
    return Arrays.copyOf(bytes, size);
  }

  private void room(int more) {
    if (bytes.length - size < more) {
      bytes = ArrayUtil.grow(bytes, Math.addExact(size, more));
    }
  }
}
