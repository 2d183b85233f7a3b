package dev.holdfast.objectstore.google;

import com.google.cloud.storage.StorageException;
import dev.holdfast.objectstore.BucketPrefix;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What the failures of Google Cloud Storage mean to a store's caller.
public final class GoogleFailures {
  private GoogleFailures() {}

  /// A request for which "not found" is the object.
  static <T extends @Nullable Object> T reading(BucketPrefix place, String key, Step<T> step)
      throws StoreException {
    return sorted(place, key, step, false);
  }

  /// A request for which "not found" is the bucket.
  static <T extends @Nullable Object> T writing(BucketPrefix place, String key, Step<T> step)
      throws StoreException {
    return sorted(place, key, step, true);
  }

  private static <T extends @Nullable Object> T sorted(
      BucketPrefix place, String key, Step<T> step, boolean isNotFoundTheBucket)
      throws StoreException {
    try {
      return step.run();
    } catch (StoreException e) {
      throw e;
    } catch (StorageException e) {
      throw refusal(place, key, e, isNotFoundTheBucket);
    } catch (IOException e) {
      if (e.getCause() instanceof StorageException refused) {
        throw refusal(place, key, refused, isNotFoundTheBucket);
      }
      throw new StoreException.Unavailable(describe(place, key, e), e);
    }
  }

  private static StoreException refusal(
      BucketPrefix place, String key, StorageException e, boolean isNotFoundTheBucket) {
    String message = describe(place, key, e);
    boolean isOfStore = !isPage(String.valueOf(e.getMessage()));
    if (e.getCode() == 404 && isOfStore && !isNotFoundTheBucket && !isBucket(e)) {
      return new StoreException.NotFound(key);
    }
    StoreFailure failure =
        failure(e.getCode(), String.valueOf(e.getReason()), String.valueOf(e.getMessage()));
    return failure == null
        ? new StoreException.Denied(message, e)
        : new StoreException.Unavailable(failure, message, e);
  }

  private static boolean isBucket(StorageException e) {
    return String.valueOf(e.getMessage()).contains("bucket does not exist");
  }

  /// Null for a request that the store never takes.
  ///
  /// @param reason the first of the answer's `errors`
  public static @Nullable StoreFailure failure(int code, String reason, String message) {
    if (isPage(message) && StoreFailure.isOfGateway(code)) {
      return StoreFailure.GATEWAY;
    }
    return switch (reason) {
      case "rateLimitExceeded", "userRateLimitExceeded", "backendError" -> StoreFailure.THROTTLED;
      case "quotaExceeded", "storageQuotaExceeded" -> StoreFailure.FULL;
      case "authError", "required", "expired" -> StoreFailure.CREDENTIALS;
      default ->
          switch (code) {
            case 401 -> StoreFailure.CREDENTIALS;
            case 403 -> message.contains("TooSkewed") ? StoreFailure.CLOCK : StoreFailure.DENIED;
            case 404 -> StoreFailure.NO_BUCKET;
            case 429, 503 -> StoreFailure.THROTTLED;
            case 400 -> ofBadRequest(message);
            case 405, 411, 413, 501 -> null;
            case 0, -1 ->
                ofTokens(message) == null ? StoreFailure.NETWORK : StoreFailure.CREDENTIALS;
            default -> StoreFailure.INTERNAL;
          };
    };
  }

  private static @Nullable StoreFailure ofBadRequest(String message) {
    if (message.contains("Cloud KMS")) { // a key that is disabled or gone
      return StoreFailure.DENIED;
    }
    // `Provided CRC32C "…" doesn't match calculated CRC32C "…"`: what came differs from what was
    // sent, and the next try sends all of it again.
    return message.contains("match calculated") ? StoreFailure.INTERNAL : ofTokens(message);
  }

  /// The store says in plain words or JSON what is wrong, what is between in HTML.
  private static boolean isPage(String message) {
    return message.toLowerCase(java.util.Locale.ROOT).contains("<html");
  }

  /// What hands out tokens refuses before the store is asked.
  private static @Nullable StoreFailure ofTokens(String message) {
    return message.contains("access token") || message.contains("invalid_grant")
        ? StoreFailure.CREDENTIALS
        : null;
  }

  private static String describe(BucketPrefix place, String key, Exception e) {
    return "request to [" + place.name() + "] failed [key=" + key + "]: " + e.getMessage();
  }

  /// A request, which may fail in the client's ways.
  interface Step<T extends @Nullable Object> {
    T run() throws IOException;
  }
}
