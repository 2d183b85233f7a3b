package dev.holdfast.world;

/// Checks that stay on in production: a broken promise is a bug, and the process that finds one
/// stops what it was doing rather than go on with a wrong idea of the world.
public final class Promise {
  private Promise() {}

  /// @param values pairs of name and value, shown as `[name=value, …]`
  public static void keep(boolean condition, String promise, Object... values) {
    if (!condition) {
      throw new Broken(describe(promise, values));
    }
  }

  static String describe(String promise, Object... values) {
    StringBuilder text = new StringBuilder(promise);
    for (int i = 0; i + 1 < values.length; i += 2) {
      text.append(i == 0 ? " [" : ", ").append(values[i]).append('=').append(values[i + 1]);
    }
    return values.length > 1 ? text.append(']').toString() : text.toString();
  }

  /// A promise that did not hold.
  public static final class Broken extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    Broken(String message) {
      super(message);
    }
  }
}
