package dev.holdfast.indexing.repository;

import dev.holdfast.objectstore.Keys;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// A user's name as one segment of a key: what may not stand there is `~` and two digits a byte.
public final class ObjectName {
  private static final HexFormat HEX = HexFormat.of();

  private ObjectName() {}

  /// The segment of a name; two names never have one.
  public static String of(String name) {
    StringBuilder segment = new StringBuilder();
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean isPlain = c != '~' && c != '.' && Keys.isName(String.valueOf(c));
      if (isPlain) {
        segment.append(c);
      } else {
        segment.append('~').append(HEX.toHexDigits(b));
      }
    }
    return segment.toString();
  }

  /// Whether [#of] made that segment.
  static boolean isOne(String segment) {
    try {
      return of(name(segment)).equals(segment);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return false;
    }
  }

  /// The name of a segment.
  ///
  /// @throws IllegalArgumentException when it is none that [#of] made
  public static String name(String segment) {
    byte[] bytes = new byte[segment.length()];
    int length = 0;
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c == '~') {
        bytes[length++] = (byte) HexFormat.fromHexDigits(segment, i + 1, i + 3);
        i += 2;
      } else {
        bytes[length++] = (byte) c;
      }
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
