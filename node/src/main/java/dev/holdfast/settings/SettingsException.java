package dev.holdfast.settings;

/// A setting that cannot be used; the message is one line for the person who set it.
public final class SettingsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SettingsException(String message) {
    super(message);
  }

  /// Of two values one would have no effect.
  ///
  /// @param where both are, as `in holdfast.yml`
  public static SettingsException twice(String name, String where) {
    return new SettingsException("setting [" + name + "] is given twice " + where);
  }
}
