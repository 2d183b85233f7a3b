package dev.holdfast.objectstore;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What can go wrong with the object store, sorted by what the caller does next.
public abstract sealed class StoreException extends IOException {
  private static final long serialVersionUID = 1L;

  StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /// There is no such object: the caller's knowledge is old.
  public static final class NotFound extends StoreException {
    private static final long serialVersionUID = 1L;

    private final String key;

    public NotFound(String key) {
      super("no such object [key=" + key + "]", null);
      this.key = key;
    }

    /// The key that was asked for.
    public String key() {
      return key;
    }
  }

  /// The store did not answer, was busy or broke off: try again. Whether a write happened is
  /// unknown.
  public static final class Unavailable extends StoreException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String attempt;

    public Unavailable(String message, @Nullable Throwable cause) {
      this(message, cause, null);
    }

    /// @param attempt see [#attempt()]
    public Unavailable(String message, @Nullable Throwable cause, @Nullable String attempt) {
      super(message, cause);
      this.attempt = attempt;
    }

    /// What names a compare-and-set that may or may not have happened: if it did, the version it
    /// made [is of this attempt][ObjectStore.Version#isOf]. Null when it surely did not, and for
    /// other requests.
    public @Nullable String attempt() {
      return attempt;
    }
  }

  /// The store will never do this as asked: wrong credentials, no such bucket, not writable. A
  /// person has to act.
  public static final class Denied extends StoreException {
    private static final long serialVersionUID = 1L;

    public Denied(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
