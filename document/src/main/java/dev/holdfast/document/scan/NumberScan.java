package dev.holdfast.document.scan;

import java.nio.charset.StandardCharsets;

/// Reads one number of RFC 8259 and keeps what it needs to give its value: digits as a long where
/// they fit, the decimal exponent, and where the text lies.
final class NumberScan {
  private static final int SAFE_DIGITS = 18;
  private static final long EXACT_MAX = 1L << 53;
  private static final int EXACT_POWER = 22;
  private static final int EXPONENT_MAX = 100_000;
  private static final double[] POWERS = new double[EXACT_POWER + 1];

  static {
    double power = 1;
    for (int i = 0; i <= EXACT_POWER; i++) {
      POWERS[i] = power;
      power *= 10;
    }
  }

  private byte[] bytes = new byte[0];
  private int start;
  private int end;
  private boolean isNegative;
  private long digits;
  private int digitCount;
  private int exponent;
  private boolean isWhole;
  private boolean fitsLong;

  /// Reads the number at `at`; returns the position after it, or `-1 - position` of the first byte
  /// that can't stand there.
  int scan(byte[] in, int at, int limit) {
    bytes = in;
    start = at;
    int p = at;
    isNegative = p < limit && in[p] == '-';
    if (isNegative) {
      p++;
    }
    digits = 0;
    digitCount = 0;
    exponent = 0;
    isWhole = true;
    int first = p;
    p = digits(in, p, limit);
    int whole = p - first;
    if (whole == 0 || (whole > 1 && in[first] == '0')) {
      return -1 - (whole == 0 ? p : first + 1);
    }
    if (p < limit && in[p] == '.') {
      isWhole = false;
      int point = ++p;
      p = digits(in, p, limit);
      if (p == point) {
        return -1 - p;
      }
      exponent = point - p;
    }
    if (p < limit && (in[p] | 0x20) == 'e') {
      isWhole = false;
      p = exponent(in, p + 1, limit);
      if (p < 0) {
        return p;
      }
    }
    end = p;
    fitsLong = isWhole && (digitCount <= SAFE_DIGITS || parsesAsLong());
    return p;
  }

  private int digits(byte[] in, int at, int limit) {
    int p = at;
    long value = digits;
    int count = digitCount;
    while (p < limit) {
      int digit = in[p] - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      // Past 18 significant digits the value is not used.
      if (count < SAFE_DIGITS) {
        value = value * 10 + digit;
      }
      if (value != 0) {
        count++;
      }
      p++;
    }
    digits = value;
    digitCount = count;
    return p;
  }

  private int exponent(byte[] in, int at, int limit) {
    int p = at;
    boolean isMinus = p < limit && in[p] == '-';
    if (isMinus || (p < limit && in[p] == '+')) {
      p++;
    }
    int first = p;
    int value = 0;
    while (p < limit && in[p] >= '0' && in[p] <= '9') {
      value = Math.min(EXPONENT_MAX, value * 10 + in[p] - '0');
      p++;
    }
    if (p == first) {
      return -1 - p;
    }
    exponent += isMinus ? -value : value;
    return p;
  }

  private boolean parsesAsLong() {
    if (digitCount > SAFE_DIGITS + 1) {
      return false;
    }
    long value = 0;
    int p = isNegative ? start + 1 : start;
    for (; p < end; p++) {
      int digit = bytes[p] - '0';
      // Negative accumulation, for Long.MIN_VALUE has no positive twin.
      if (value < (Long.MIN_VALUE + digit) / 10) {
        return false;
      }
      value = value * 10 - digit;
    }
    if (!isNegative && value == Long.MIN_VALUE) {
      return false;
    }
    digits = isNegative ? value : -value;
    digitCount = SAFE_DIGITS + 1;
    return true;
  }

  boolean isLong() {
    return fitsLong;
  }

  long longValue() {
    return isNegative && digitCount <= SAFE_DIGITS ? -digits : digits;
  }

  /// Correctly rounded: exact products and quotients of small powers of ten (Clinger), the JDK for
  /// the rest.
  double doubleValue() {
    if (fitsLong) {
      return longValue();
    }
    if (digitCount <= SAFE_DIGITS
        && digits <= EXACT_MAX
        && exponent >= -EXACT_POWER
        && exponent <= EXACT_POWER) {
      double exact = digits;
      double value = exponent < 0 ? exact / POWERS[-exponent] : exact * POWERS[exponent];
      return isNegative ? -value : value;
    }
    return Double.parseDouble(new String(bytes, start, end - start, StandardCharsets.ISO_8859_1));
  }
}
