package dev.holdfast.objectstore;

import com.google.cloud.storage.StorageException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What the failures of Google Cloud Storage mean to a store's caller.
final class GoogleFailures {
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
    return switch (e.getCode()) {
      case 404 ->
          isNotFoundTheBucket
              ? new StoreException.Denied(message, e)
              : new StoreException.NotFound(key);
      case 400, 401, 403, 405, 411, 413 -> new StoreException.Denied(message, e);
      default -> new StoreException.Unavailable(message, e);
    };
  }

  private static String describe(BucketPrefix place, String key, Exception e) {
    return "request to [" + place.name() + "] failed [key=" + key + "]: " + e.getMessage();
  }

  /// A request, which may fail in the client's ways.
  interface Step<T extends @Nullable Object> {
    T run() throws IOException;
  }
}
