package dev.holdfast.world;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// An object of the store is not what was written: a checksum or a length does not fit. It names
/// the object, and where in it the damage is, when that is known.
public final class CorruptObjectException extends IOException {
  private static final long serialVersionUID = 1L;

  private static final String BEGINNING = "corrupt object: ";

  private final String key;
  private final long offset;

  public CorruptObjectException(String key, String what) {
    this(key, -1, what, null);
  }

  public CorruptObjectException(String key, String what, @Nullable Throwable cause) {
    this(key, -1, what, cause);
  }

  private CorruptObjectException(String key, long offset, String what, @Nullable Throwable cause) {
    super(
        BEGINNING + what + " [key=" + key + (offset < 0 ? "]" : ", offset=" + offset + "]"), cause);
    this.key = key;
    this.offset = offset;
  }

  /// A page that does not match its checksum.
  ///
  /// @param offset where the page begins in the object
  public static CorruptObjectException page(String key, long offset) {
    return new CorruptObjectException(key, offset, "a page does not match its checksum", null);
  }

  /// Whether a text is the message of such a failure.
  public static boolean isMessage(String text) {
    return text.startsWith(BEGINNING);
  }

  /// The damage behind a failure; null when there is none.
  public static @Nullable CorruptObjectException in(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CorruptObjectException corrupt) {
        return corrupt;
      }
    }
    return null;
  }

  public String key() {
    return key;
  }

  /// Where in the object; -1 when that is not known.
  public long offset() {
    return offset;
  }
}
