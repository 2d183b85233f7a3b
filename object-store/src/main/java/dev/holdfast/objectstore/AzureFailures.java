package dev.holdfast.objectstore;

import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobStorageException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// What the failures of Azure Blob Storage mean to a store's caller.
final class AzureFailures {
  private AzureFailures() {}

  static <T extends @Nullable Object> T sorted(BucketPrefix place, String key, Step<T> step)
      throws StoreException {
    try {
      return step.run();
    } catch (StoreException e) {
      throw e;
    } catch (BlobStorageException e) {
      throw refusal(place, key, e);
    } catch (IOException e) {
      throw new StoreException.Unavailable(describe(place, key, e.toString()), e);
    } catch (RuntimeException e) {
      // The client wraps what its HTTP client threw, in more than one way.
      if (isFromTheNetwork(e)) {
        throw new StoreException.Unavailable(describe(place, key, e.toString()), e);
      }
      throw e;
    }
  }

  private static StoreException refusal(BucketPrefix place, String key, BlobStorageException e) {
    String code = String.valueOf(e.getErrorCode());
    String message = describe(place, key, e.getStatusCode() + " " + code);
    return switch (e.getStatusCode()) {
      case 404 ->
          BlobErrorCode.CONTAINER_NOT_FOUND.equals(e.getErrorCode())
              ? new StoreException.Denied(message, e)
              : new StoreException.NotFound(key);
      case 400, 401, 403, 405, 411, 413 -> new StoreException.Denied(message, e);
      default -> new StoreException.Unavailable(message, e);
    };
  }

  private static boolean isFromTheNetwork(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException
          || cause instanceof TimeoutException
          || cause instanceof InterruptedException) {
        return true;
      }
    }
    return false;
  }

  private static String describe(BucketPrefix place, String key, String what) {
    return "request to [" + place.name() + "] failed [key=" + key + "]: " + what;
  }

  /// A request, which may fail in the client's ways.
  interface Step<T extends @Nullable Object> {
    T run() throws IOException;
  }
}
