package dev.holdfast.simulation.fortnight;

import java.util.function.Supplier;

/// A promise about data streams that was broken: what, and when.
final class Broken extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private Broken(String what) {
    super(what);
  }

  /// @param what is said only where it is broken
  static void unless(boolean isKept, Supplier<String> what) {
    if (!isKept) {
      throw new Broken(what.get());
    }
  }
}
