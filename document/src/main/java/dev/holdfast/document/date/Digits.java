package dev.holdfast.document.date;

/// Decimal digits of fixed width, from bytes.
final class Digits {
  private Digits() {}

  static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /// The number of two digits at `at`, negative when there are not two.
  static int two(byte[] utf8, int at, int end) {
    if (at + 2 > end) {
      return -1;
    }
    int tens = utf8[at] - '0';
    int ones = utf8[at + 1] - '0';
    return (tens | ones | (9 - tens) | (9 - ones)) < 0 ? -1 : tens * 10 + ones;
  }

  /// The number of four digits at `at`, negative when there are not four.
  static int four(byte[] utf8, int at, int end) {
    int high = two(utf8, at, end);
    int low = two(utf8, at + 2, end);
    return (high | low) < 0 ? -1 : high * 100 + low;
  }

  /// Where the digits that begin at `at` end.
  static int end(byte[] utf8, int at, int end) {
    int position = at;
    while (position < end && isDigit(utf8[position])) {
      position++;
    }
    return position;
  }

  /// The digits `[from, to)`, at most nine, as a fraction of a second in nanoseconds.
  static int nanos(byte[] utf8, int from, int to) {
    int nanos = 0;
    for (int i = from; i < to; i++) {
      nanos = nanos * 10 + utf8[i] - '0';
    }
    for (int digits = to - from; digits < 9; digits++) {
      nanos *= 10;
    }
    return nanos;
  }
}
