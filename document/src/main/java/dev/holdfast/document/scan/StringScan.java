package dev.holdfast.document.scan;

import java.util.Arrays;

/// Reads one JSON string after another, checked and unescaped: shows each where it lies, or in
/// scratch space when it has escapes.
final class StringScan {
  private static final byte[] NOTHING = new byte[0];

  private final JsonErrors faults;
  private final boolean isName;

  /// The string read last, `[offset, offset + length)`.
  byte[] bytes = NOTHING;

  int offset;
  int length;

  /// Whether every byte of it is below 0x80.
  boolean isAscii;

  private byte[] scratch = new byte[64];
  private byte[] body = NOTHING;
  private int at;
  private int end;

  /// @param isName whether they are names of fields, which may not have unpaired surrogates
  StringScan(JsonErrors faults, boolean isName) {
    this.faults = faults;
    this.isName = isName;
  }

  /// Reads on from behind the opening quote, at most to `limit`.
  ///
  /// @return the position behind the closing quote
  int scan(byte[] in, int from, int limit) {
    int p = from;
    boolean ascii = true;
    while (true) {
      while (p + Words.BYTES <= limit) {
        long special = Words.special(Words.at(in, p));
        if (special != 0) {
          p += Long.numberOfTrailingZeros(special) >>> 3;
          break;
        }
        p += Words.BYTES;
      }
      if (p >= limit) {
        throw faults.unexpected("unterminated string", limit);
      }
      byte c = in[p];
      if (c == '"') {
        show(in, from, p - from, ascii);
        return p + 1;
      }
      if (c == '\\') {
        body = in;
        end = limit;
        at = p;
        unescape(from, ascii);
        return at;
      }
      if (c < 0) {
        int length = Utf8.lengthAt(in, p, limit);
        if (length == 0) {
          throw faults.malformed("Invalid UTF-8 byte 0x" + Integer.toHexString(c & 0xFF), p);
        }
        ascii = false;
        p += length;
      } else if (c < ' ') {
        throw faults.unexpected("control characters must be escaped", p);
      } else {
        p++;
      }
    }
  }

  private void show(byte[] in, int from, int count, boolean ascii) {
    bytes = in;
    offset = from;
    length = count;
    isAscii = ascii;
  }

  /// From the first backslash on: copies, replacing escapes.
  private void unescape(int from, boolean asciiSoFar) {
    byte[] out = scratch;
    boolean ascii = asciiSoFar;
    int length = at - from;
    out = room(out, length);
    System.arraycopy(body, from, out, 0, length);
    while (true) {
      if (at >= end) {
        throw faults.unexpected("unterminated string", at);
      }
      out = room(out, length);
      byte c = body[at];
      if (c == '"') {
        at++;
        break;
      }
      if (c == '\\') {
        int codePoint = escape();
        ascii &= codePoint < 0x80;
        if (isName
            && codePoint >= Character.MIN_SURROGATE
            && codePoint <= Character.MAX_SURROGATE) {
          throw faults.malformed("Unpaired surrogate in a field name", at);
        }
        length = Utf8.write(codePoint, out, length);
      } else if (c < 0) {
        int bytes = Utf8.lengthAt(body, at, end);
        if (bytes == 0) {
          throw faults.malformed("Invalid UTF-8 byte 0x" + Integer.toHexString(c & 0xFF), at);
        }
        System.arraycopy(body, at, out, length, bytes);
        ascii = false;
        length += bytes;
        at += bytes;
      } else if (c < ' ') {
        throw faults.unexpected("control characters must be escaped", at);
      } else {
        out[length++] = c;
        at++;
      }
    }
    scratch = out;
    show(out, 0, length, ascii);
  }

  private static byte[] room(byte[] out, int length) {
    return out.length - length >= 4 ? out : Arrays.copyOf(out, Math.max(2 * length, 64) + 4);
  }

  private int escape() {
    if (++at >= end) {
      throw faults.unexpected("unterminated escape", at);
    }
    int c = body[at++];
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        int high = hex();
        if (Character.isHighSurrogate((char) high)
            && at + 1 < end
            && body[at] == '\\'
            && body[at + 1] == 'u') {
          int mark = at;
          at += 2;
          int low = hex();
          if (Character.isLowSurrogate((char) low)) {
            yield Character.toCodePoint((char) high, (char) low);
          }
          at = mark;
        }
        yield high;
      }
      default -> {
        at--;
        throw faults.unexpected("unknown escape", at);
      }
    };
  }

  private int hex() {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      int digit = at < end && body[at] >= 0 ? Character.digit(body[at], 16) : -1;
      if (digit < 0) {
        throw faults.unexpected("expected a hexadecimal digit", at);
      }
      value = (value << 4) | digit;
      at++;
    }
    return value;
  }
}
