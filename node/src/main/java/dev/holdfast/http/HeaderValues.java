package dev.holdfast.http;

import org.jspecify.annotations.Nullable;

/// The headers of a request, by lower-case name.
public interface HeaderValues {
  HeaderValues NONE = name -> null;

  /// The first value of the header, or null.
  @Nullable String get(String name);
}
