package dev.holdfast.document.scan;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Eight bytes at a time: finds the first byte that ends a plain run of a JSON string.
final class Words {
  static final int BYTES = 8;

  private static final VarHandle LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH = 0x8080808080808080L;
  private static final long QUOTES = ONES * '"';
  private static final long BACKSLASHES = ONES * '\\';
  private static final long SPACES = ONES * ' ';

  private Words() {}

  /// The eight bytes from `at`, the first one lowest.
  static long at(byte[] bytes, int at) {
    return (long) LITTLE.get(bytes, at);
  }

  /// A mask whose lowest set bit is in the first byte that is a quote, a backslash, a control
  /// character or not ASCII; 0 when all eight are plain.
  static long special(long word) {
    long quote = word ^ QUOTES;
    long backslash = word ^ BACKSLASHES;
    long marks = (quote - ONES) | (backslash - ONES) | (word - SPACES) | word;
    return marks & HIGH;
  }
}
