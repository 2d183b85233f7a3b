package dev.holdfast.document.field.ip;

import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// IP addresses as text and as 16 bytes (IPv4 mapped into IPv6); parsing allocates nothing.
public final class Addresses {
  public static final int BYTES = 16;
  private static final int V4_START = 12;

  private Addresses() {}

  /// Parses into `to[0..16)`; false when the text is no address.
  static boolean parse(byte[] text, int offset, int length, byte[] to) {
    int end = zoneless(text, offset, offset + length);
    for (int i = offset; i < end; i++) {
      if (text[i] == ':') {
        return parseV6(text, offset, end, to);
      }
    }
    Arrays.fill(to, 0, 10, (byte) 0);
    to[10] = -1;
    to[11] = -1;
    return parseV4(text, offset, end, to, V4_START);
  }

  /// Where the name of a zone (`fe80::1%eth0`) begins, which is no part of the address.
  private static int zoneless(byte[] text, int from, int end) {
    for (int i = from; i < end; i++) {
      if (text[i] == '%') {
        return i;
      }
    }
    return end;
  }

  private static boolean parseV4(byte[] text, int from, int end, byte[] to, int at) {
    int p = from;
    for (int part = 0; part < 4; part++) {
      if (part > 0 && (p >= end || text[p++] != '.')) {
        return false;
      }
      int first = p;
      int value = 0;
      while (p < end && text[p] >= '0' && text[p] <= '9' && p - first < 3) {
        value = value * 10 + text[p++] - '0';
      }
      boolean hasLeadingZero = p - first > 1 && text[first] == '0';
      if (p == first || value > 255 || hasLeadingZero) {
        return false;
      }
      to[at + part] = (byte) value;
    }
    return p == end;
  }

  private static boolean parseV6(byte[] text, int from, int end, byte[] to) {
    int at = 0;
    int gap = -1;
    int p = from;
    if (end - p >= 2 && text[p] == ':' && text[p + 1] == ':') {
      gap = 0;
      p += 2;
    }
    while (p < end) {
      int first = p;
      int value = 0;
      while (p < end && text[p] >= 0 && Character.digit(text[p], 16) >= 0) {
        value = (value << 4) | Character.digit(text[p++], 16);
        if (p - first > 4) {
          return false;
        }
      }
      if (p < end && text[p] == '.') {
        if (at > V4_START || !parseV4(text, first, end, to, at)) {
          return false;
        }
        at += 4;
        break;
      }
      if (p == first || at >= BYTES) {
        return false;
      }
      to[at++] = (byte) (value >> 8);
      to[at++] = (byte) value;
      if (p == end) {
        break;
      }
      if (text[p++] != ':' || p == end) {
        return false;
      }
      if (text[p] == ':') {
        if (gap >= 0) {
          return false;
        }
        gap = at;
        p++;
      }
    }
    return spread(to, at, gap);
  }

  /// Moves what follows `::` to the end.
  private static boolean spread(byte[] to, int at, int gap) {
    if (gap < 0) {
      return at == BYTES;
    }
    if (at >= BYTES) {
      return false;
    }
    int tail = at - gap;
    System.arraycopy(to, gap, to, BYTES - tail, tail);
    Arrays.fill(to, gap, BYTES - tail, (byte) 0);
    return true;
  }

  public static byte[] parse(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    byte[] address = new byte[BYTES];
    if (!parse(utf8, 0, utf8.length, address)) {
      throw notAnAddress(text);
    }
    return address;
  }

  static Refusal notAnAddress(String text) {
    return Refusal.badArgument("'" + text + "' is not an IP string literal.");
  }

  private static boolean isV4(byte[] bytes, int offset) {
    for (int i = 0; i < 10; i++) {
      if (bytes[offset + i] != 0) {
        return false;
      }
    }
    return bytes[offset + 10] == -1 && bytes[offset + 11] == -1;
  }

  /// As RFC 5952 has it: lower case, the longest run of zeros as `::`.
  public static String text(byte[] bytes, int offset) {
    if (isV4(bytes, offset)) {
      int at = offset + V4_START;
      return (bytes[at] & 0xFF)
          + "."
          + (bytes[at + 1] & 0xFF)
          + "."
          + (bytes[at + 2] & 0xFF)
          + "."
          + (bytes[at + 3] & 0xFF);
    }
    int[] groups = new int[8];
    for (int i = 0; i < 8; i++) {
      groups[i] = ((bytes[offset + 2 * i] & 0xFF) << 8) | (bytes[offset + 2 * i + 1] & 0xFF);
    }
    int start = -1;
    int longest = 1;
    for (int i = 0; i < 8; i++) {
      int run = 0;
      while (i + run < 8 && groups[i + run] == 0) {
        run++;
      }
      if (run > longest) {
        longest = run;
        start = i;
      }
      i += run;
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      if (i == start) {
        text.append("::");
        i += longest - 1;
      } else {
        if (i > 0 && text.charAt(text.length() - 1) != ':') {
          text.append(':');
        }
        text.append(Integer.toHexString(groups[i]));
      }
    }
    return text.toString();
  }
}
