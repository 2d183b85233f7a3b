package dev.holdfast.objectstore;

import dev.holdfast.world.CorruptObjectException;
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

  /// The store does not do it now: it did not answer, was busy, broke off, or refused: try again.
  /// Whether a write happened is unknown, even behind a refusal: what stands between may have asked
  /// the store and then refused, and an earlier try may have been done.
  public static final class Unavailable extends StoreException {
    private static final long serialVersionUID = 1L;

    private final StoreFailure failure;
    private final @Nullable String attempt;

    /// Of a store that did not answer.
    public Unavailable(String message, @Nullable Throwable cause) {
      this(message, cause, null);
    }

    /// Of a store that did not answer.
    ///
    /// @param attempt see [#attempt()]
    public Unavailable(String message, @Nullable Throwable cause, @Nullable String attempt) {
      this(StoreFailure.NETWORK, message, cause, attempt);
    }

    public Unavailable(StoreFailure failure, String message, @Nullable Throwable cause) {
      this(failure, message, cause, null);
    }

    private Unavailable(
        StoreFailure failure, String message, @Nullable Throwable cause, @Nullable String attempt) {
      super(message, cause);
      this.failure = failure;
      this.attempt = attempt;
    }

    /// The same of a compare-and-set.
    ///
    /// @param name see [#attempt()]
    public Unavailable ofAttempt(String name) {
      return new Unavailable(failure, String.valueOf(getMessage()), this, name);
    }

    /// Why.
    public StoreFailure failure() {
      return failure;
    }

    /// What names a compare-and-set that may or may not have happened: if it did, the version it
    /// made [is of this attempt][ObjectStore.Version#isOf]. Null when it surely did not, and for
    /// other requests.
    public @Nullable String attempt() {
      return attempt;
    }
  }

  /// The store will never do this as asked: it breaks its promises, the request is none that it
  /// takes, the configuration names no store. Trying again changes nothing; a person has to act.
  public static final class Denied extends StoreException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String damaged;

    public Denied(String message, @Nullable Throwable cause) {
      this(message, cause, null);
    }

    private Denied(String message, @Nullable Throwable cause, @Nullable String damaged) {
      super(message, cause);
      this.damaged = damaged;
    }

    /// The store sees by itself that an object is damaged, and will not read it.
    ///
    /// @param version of what lies there
    public static Denied damaged(
        String message, CorruptObjectException cause, ObjectStore.Version version) {
      return new Denied(message, cause, version.token());
    }

    /// The version of an object that the store knows to be damaged: who knows what it should be may
    /// replace it by compare-and-set. Null when that is not why.
    public ObjectStore.@Nullable Version damagedVersion() {
      return damaged == null ? null : new ObjectStore.Version(damaged);
    }
  }
}
