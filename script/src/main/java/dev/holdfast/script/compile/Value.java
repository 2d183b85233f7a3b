package dev.holdfast.script.compile;

import dev.holdfast.script.type.Type;
import org.jspecify.annotations.Nullable;

/// An expression whose type is known: its code leaves one value on the stack, none for `void`.
///
/// @param at offset in the source
/// @param constant what it always is, where that is known
record Value(int at, Type type, Code code, @Nullable Object constant) {
  Value(int at, Type type, Code code) {
    this(at, type, code, null);
  }

  /// The same, seen from another place.
  Value at(int elsewhere) {
    return new Value(elsewhere, type, code, constant);
  }
}
