package dev.holdfast.http;

/// What a route takes as a body.
public enum BodyRule {
  /// None: one that is sent is refused.
  NONE,
  /// A JSON value, or nothing.
  OPTIONAL,
  /// A JSON value.
  REQUIRED,
  /// Lines of JSON (`_bulk`, `_msearch`), by any JSON content type.
  LINES
}
