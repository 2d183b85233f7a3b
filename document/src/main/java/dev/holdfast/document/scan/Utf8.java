package dev.holdfast.document.scan;

/// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
final class Utf8 {
  private static final int REPLACEMENT = 0xFFFD;

  private Utf8() {}

  /// Length of the well-formed multi-byte character that begins at `at` (a byte above 0x7F), or 0
  /// when it is malformed or reaches past `end`.
  static int lengthAt(byte[] bytes, int at, int end) {
    int lead = bytes[at] & 0xFF;
    if (lead < 0xC2 || lead > 0xF4) {
      return 0;
    }
    int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (end - at < length) {
      return 0;
    }
    int second = bytes[at + 1] & 0xFF;
    int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (second < low || second > high) {
      return 0;
    }
    for (int i = 2; i < length; i++) {
      if ((bytes[at + i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    return length;
  }

  /// Writes a code point; a lone surrogate becomes U+FFFD, as Lucene has it. Returns the position
  /// after it; `to` has room for 4 bytes.
  static int write(int codePoint, byte[] to, int at) {
    int c = codePoint >= 0xD800 && codePoint <= 0xDFFF ? REPLACEMENT : codePoint;
    int next = at;
    if (c < 0x80) {
      to[next++] = (byte) c;
    } else if (c < 0x800) {
      to[next++] = (byte) (0xC0 | (c >> 6));
      to[next++] = (byte) (0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
      to[next++] = (byte) (0xE0 | (c >> 12));
      to[next++] = (byte) (0x80 | ((c >> 6) & 0x3F));
      to[next++] = (byte) (0x80 | (c & 0x3F));
    } else {
      to[next++] = (byte) (0xF0 | (c >> 18));
      to[next++] = (byte) (0x80 | ((c >> 12) & 0x3F));
      to[next++] = (byte) (0x80 | ((c >> 6) & 0x3F));
      to[next++] = (byte) (0x80 | (c & 0x3F));
    }
    return next;
  }
}
