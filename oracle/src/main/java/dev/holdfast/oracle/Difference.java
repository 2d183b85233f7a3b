package dev.holdfast.oracle;

/// One place where two answers differ.
///
/// @param what the place and both values, Holdfast's first
record Difference(Kind kind, String what) {
  /// What differs, the gravest first.
  enum Kind {
    STATUS,
    ERROR_TYPE,
    TOTAL,
    ORDER,
    SCORE,
    AGGREGATION,
    CONTENT,
    FORM
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ') + " " + what;
  }
}
