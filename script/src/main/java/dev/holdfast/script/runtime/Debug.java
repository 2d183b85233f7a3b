package dev.holdfast.script.runtime;

import org.jspecify.annotations.Nullable;

/// `Debug.explain(value)` ends a script with an error that tells what a value is.
public final class Debug {
  private Debug() {}

  @SuppressWarnings("DoNotCallSuggester") // scripts call it to end
  public static void explain(@Nullable Object value) {
    throw new Explained(value);
  }
}
