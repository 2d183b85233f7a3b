package dev.holdfast.objectstore;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Which bytes of an object an answer says that it holds: `bytes 0-9/1234`.
///
/// @param first of the bytes
/// @param last of them
/// @param whole length of the object, bytes
public record ContentRange(long first, long last, long whole) {
  private static final Pattern SAID = Pattern.compile("\\D*(\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

  /// Null when it says no such thing.
  public static @Nullable ContentRange parse(String said) {
    Matcher parts = SAID.matcher(said);
    return parts.matches()
        ? new ContentRange(
            Long.parseLong(parts.group(1)),
            Long.parseLong(parts.group(2)),
            Long.parseLong(parts.group(3)))
        : null;
  }

  /// Whether these are the bytes from an offset on, as many as asked for or all up to the object's
  /// end.
  ///
  /// @param count at least 1
  public boolean isOf(long offset, long count) {
    return first == offset && last == Math.min(whole, offset + count) - 1;
  }
}
