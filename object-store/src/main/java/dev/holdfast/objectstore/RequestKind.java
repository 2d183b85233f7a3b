package dev.holdfast.objectstore;

import java.util.Locale;

/// The kinds of request that stores bill and limit differently.
public enum RequestKind {
  /// Writes of any kind.
  PUT,
  /// Reads of any kind.
  GET,
  LIST,
  COPY,
  /// Changes of an object's storage class.
  TRANSITION,
  DELETE;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
