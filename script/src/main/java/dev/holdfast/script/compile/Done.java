package dev.holdfast.script.compile;

/// A statement that is compiled.
///
/// @param endsMethod whether every way through it returns or throws
/// @param endsFlow whether nothing after it is reached
record Done(Code code, boolean endsMethod, boolean endsFlow) {
  static Done going(Code code) {
    return new Done(code, false, false);
  }
}
