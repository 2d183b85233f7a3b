package dev.holdfast.document.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// How much memory values take, about, in bytes.
public final class ValueSize {
  /// A value that is no text, list or object, or one of them that is empty.
  public static final int VALUE_BYTES = 64;

  /// A place in a list.
  public static final int ELEMENT_BYTES = 16;

  /// A member of an object, beside its value.
  public static final int MEMBER_BYTES = 80;

  private ValueSize() {}

  /// A value with everything in it.
  public static long of(JsonNode value) {
    return switch (value) {
      case ArrayNode list -> {
        long bytes = VALUE_BYTES;
        for (JsonNode element : list) {
          bytes += ELEMENT_BYTES + of(element);
        }
        yield bytes;
      }
      case ObjectNode object -> {
        long bytes = VALUE_BYTES;
        for (JsonNode member : object) {
          bytes += MEMBER_BYTES + of(member);
        }
        yield bytes;
      }
      default -> value.isTextual() ? ofText(value.textValue().length()) : VALUE_BYTES;
    };
  }

  /// A text of so many characters.
  public static long ofText(long characters) {
    return VALUE_BYTES + 2 * characters;
  }
}
