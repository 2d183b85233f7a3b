package dev.holdfast.document.scan;

/// A scalar (or the start of an object or array) as the scanner sees it: a view that is valid
/// during the call only.
public interface JsonValue {
  /// The kinds of value.
  enum Kind {
    STRING,
    NUMBER,
    TRUE,
    FALSE,
    OBJECT,
    ARRAY
  }

  Kind kind();

  /// Bytes that hold the text of a string (unescaped) or of a number or literal; valid during the
  /// call.
  byte[] bytes();

  int offset();

  int length();

  /// Whether every byte of a string is below 0x80.
  boolean isAscii();

  /// Whether a number is written without fraction and exponent and fits a long.
  boolean isLong();

  /// The number as a long; only when [#isLong].
  long longValue();

  /// The number as a double, correctly rounded.
  double doubleValue();

  /// The text as a new string.
  String text();

  /// For objects and arrays (geo_point, completion, …): the value as a tree; the scanner skips over
  /// it.
  com.fasterxml.jackson.databind.JsonNode tree();
}
