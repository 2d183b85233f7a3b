package dev.holdfast.objectstore;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The bytes to be written cannot be read, or are not what they should be: to send them again helps
/// nobody.
public final class BodyException extends IOException {
  private static final long serialVersionUID = 1L;

  public BodyException(IOException cause) {
    super(cause.getMessage(), cause);
  }

  /// Whether that is what is behind a failure.
  public static boolean isIn(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BodyException) {
        return true;
      }
    }
    return false;
  }
}
