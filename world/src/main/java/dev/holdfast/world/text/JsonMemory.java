package dev.holdfast.world.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/// What JSON holds as a tree, roughly: a list of empty objects takes thirty times its text, a long
/// text little more than its letters.
public final class JsonMemory {
  private static final int OBJECT_BYTES = 80;
  private static final int ARRAY_BYTES = 96;

  /// A text beside its letters: a node, a string, an array.
  private static final int TEXT_BYTES = 56;

  /// The place of a member in its object, beside name and value.
  private static final int MEMBER_BYTES = 40;

  /// The place of an element in its list, and a number.
  private static final int ELEMENT_BYTES = 24;

  /// Longer texts are there several times over while they are read.
  private static final int LONG_TEXT_BYTES = 16 << 10;

  private JsonMemory() {}

  /// Of what a text is going to be as a tree, whether it is well-formed or not.
  ///
  /// @return bytes
  public static long ofText(byte[] bytes, int offset, int length) {
    long held = 2L * length;
    int end = offset + length;
    int at = offset;
    while (at < end) {
      switch (bytes[at]) {
        case '"' -> {
          int close = closing(bytes, at + 1, end);
          held += TEXT_BYTES + (close - at > LONG_TEXT_BYTES ? 2L * (close - at) : 0);
          at = close;
        }
        case '{' -> held += OBJECT_BYTES;
        case '[' -> held += ARRAY_BYTES;
        case ':' -> held += MEMBER_BYTES;
        case ',' -> held += ELEMENT_BYTES;
        case '/' -> at = commentEnd(bytes, at, end);
        default -> {}
      }
      at++;
    }
    return held;
  }

  /// The last byte of the comment that a slash begins, which may hold quotes that are none; the
  /// slash itself where it begins none.
  private static int commentEnd(byte[] bytes, int slash, int end) {
    byte next = slash + 1 < end ? bytes[slash + 1] : 0;
    int at = slash + 2;
    if (next == '/') {
      while (at < end && bytes[at] != '\n' && bytes[at] != '\r') {
        at++;
      }
      return at;
    }
    if (next == '*') {
      while (at + 1 < end && (bytes[at] != '*' || bytes[at + 1] != '/')) {
        at++;
      }
      return at + 1;
    }
    return slash;
  }

  /// Where a text ends: at its quote, or at the end of all.
  private static int closing(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && bytes[at] != '"') {
      at += bytes[at] == '\\' ? 2 : 1;
    }
    return Math.min(at, end);
  }

  /// Of a tree that is there.
  ///
  /// @return bytes
  public static long of(JsonNode node) {
    if (node.isObject()) {
      long held = OBJECT_BYTES;
      for (Map.Entry<String, JsonNode> member : node.properties()) {
        held += MEMBER_BYTES + member.getKey().length() + of(member.getValue());
      }
      return held;
    }
    if (node.isArray()) {
      long held = ARRAY_BYTES;
      for (JsonNode element : node) {
        held += ELEMENT_BYTES + of(element);
      }
      return held;
    }
    return node.isTextual() ? TEXT_BYTES + node.textValue().length() : ELEMENT_BYTES;
  }
}
