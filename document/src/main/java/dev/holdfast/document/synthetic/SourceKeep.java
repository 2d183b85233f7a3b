package dev.holdfast.document.synthetic;

import org.jspecify.annotations.Nullable;

/// What of a field or object is kept as it came (`synthetic_source_keep`).
enum SourceKeep {
  NONE,
  /// Arrays, in their order and with what is there twice.
  ARRAYS,
  ALL;

  /// @param own of the field or object; null when its mapping does not say
  static SourceKeep of(@Nullable String own, SourceKeep whenAbsent) {
    return own == null
        ? whenAbsent
        : switch (own) {
          case "all" -> ALL;
          case "arrays" -> ARRAYS;
          default -> NONE;
        };
  }

  boolean keeps(boolean isArray) {
    return this == ALL || (this == ARRAYS && isArray);
  }
}
