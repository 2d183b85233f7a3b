package dev.holdfast.http;

import java.io.OutputStream;
import java.util.Arrays;

/// A growing array of bytes that is handed over without a copy; it asks for its memory before it
/// grows.
public final class ByteSink extends OutputStream {
  private static final int FIRST_BYTES = 1024;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;

  @Override
  public void write(int b) {
    ensure(1);
    bytes[length++] = (byte) b;
  }

  @Override
  public void write(byte[] from, int offset, int count) {
    ensure(count);
    System.arraycopy(from, offset, bytes, length, count);
    length += count;
  }

  private void ensure(int more) {
    int needed = Math.addExact(length, more);
    if (needed > bytes.length) {
      int size = (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(needed, 2L * bytes.length));
      // Both arrays are there while one is copied; what was noted for the smaller one stays.
      RequestMemory.add(size);
      bytes = Arrays.copyOf(bytes, size);
    }
  }

  public int length() {
    return length;
  }

  /// The array with the bytes in `[0, length())`; nothing may be written after.
  public byte[] array() {
    return bytes;
  }
}
