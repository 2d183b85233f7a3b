package dev.holdfast.objectstore;

import java.io.IOException;

/// An object that must be there is missing, or cannot be read as what it was: by proof, not by
/// guess. Trying again helps only when somebody puts it back.
public final class LostObjectException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String key;

  /// @param key of the object
  /// @param how it was found out
  public LostObjectException(String key, String how) {
    super(how + " [key=" + key + "]");
    this.key = key;
  }

  /// The key of the object.
  public String key() {
    return key;
  }
}
