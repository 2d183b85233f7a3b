package dev.holdfast.document.date;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The commonest date of all, `yyyy-MM-ddTHH:mm:ss`, read eight bytes at a step.
final class Timestamps {
  /// Bytes of such a date.
  static final int LENGTH = 19;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  // Each word is compared with its pattern by XOR: digits become 0 to 9, separators 0. Adding the
  // mask then sets a byte's high bit where it is more.
  private static final long DATE = word("0000-00-");
  private static final long DATE_MASK = mask("0000-00-");
  private static final long TIME = word("00\0" + "00:00");
  private static final long TIME_MASK = mask("00\0" + "00:00");
  private static final long HIGH_BITS = 0x8080808080808080L;

  private Timestamps() {}

  /// Seconds from 1970 of the local time at `at`, or [DateForm#NOT_A_DATE]; [#LENGTH] bytes must be
  /// there.
  ///
  /// @param separator between day and hour
  static long seconds(byte[] utf8, int at, byte separator) {
    long date = (long) LONGS.get(utf8, at) ^ DATE;
    long time = (long) LONGS.get(utf8, at + 8) ^ (TIME | (separator & 0xFFL) << 16);
    int tens = utf8[at + 17] - '0';
    int ones = utf8[at + 18] - '0';
    long wrong = (date + DATE_MASK) | date | (time + TIME_MASK) | time;
    int second = tens * 10 + ones;
    if ((wrong & HIGH_BITS) != 0
        || utf8[at + 16] != ':'
        || (tens | ones | (5 - tens) | (9 - ones)) < 0) {
      return DateForm.NOT_A_DATE;
    }
    int year = two(date, 0) * 100 + two(date, 16);
    int month = two(date, 40);
    int day = two(time, 0);
    int hour = two(time, 24);
    int minute = two(time, 48);
    if (!Civil.isDate(year, month, day) || hour > 23 || minute > 59) {
      return DateForm.NOT_A_DATE;
    }
    return Civil.daysOf(year, month, day) * 86_400 + (hour * 60L + minute) * 60 + second;
  }

  private static int two(long word, int shift) {
    int digits = (int) (word >>> shift);
    return (digits & 0xF) * 10 + (digits >>> 8 & 0xF);
  }

  private static long word(String pattern) {
    long word = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      word |= (long) pattern.charAt(i) << (8 * i);
    }
    return word;
  }

  private static long mask(String pattern) {
    long mask = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      mask |= (pattern.charAt(i) == '0' ? 0x76L : 0x7FL) << (8 * i);
    }
    return mask;
  }
}
