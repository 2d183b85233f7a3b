package dev.holdfast.objectstore.azure;

import com.azure.core.exception.HttpResponseException;
import com.azure.storage.blob.models.BlobStorageException;
import dev.holdfast.objectstore.BucketPrefix;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// What the failures of Azure Blob Storage mean to a store's caller.
public final class AzureFailures {
  private AzureFailures() {}

  static <T extends @Nullable Object> T sorted(BucketPrefix place, String key, Step<T> step)
      throws StoreException {
    try {
      return step.run();
    } catch (StoreException e) {
      throw e;
    } catch (BlobStorageException e) {
      throw refusal(place, key, e);
    } catch (HttpResponseException e) {
      throw unreadable(place, key, e);
    } catch (IOException e) {
      throw new StoreException.Unavailable(describe(place, key, e.toString()), e);
    } catch (RuntimeException e) {
      // The client wraps what its HTTP client threw, in more than one way.
      if (isFromTheNetwork(e)) {
        throw new StoreException.Unavailable(describe(place, key, e.toString()), e);
      }
      if (String.valueOf(e.getMessage()).contains("Content-Type")) { // a page where XML should be
        throw new StoreException.Unavailable(
            StoreFailure.GATEWAY, describe(place, key, e.toString()), e);
      }
      throw e;
    }
  }

  /// An answer that is not the service's.
  private static StoreException unreadable(
      BucketPrefix place, String key, HttpResponseException e) {
    int status = e.getResponse() == null ? 0 : e.getResponse().getStatusCode();
    boolean isPage = status >= 200 && status < 300;
    StoreFailure failure = isPage ? null : failure(status, "null", "");
    return new StoreException.Unavailable(
        failure == null ? StoreFailure.GATEWAY : failure,
        describe(place, key, status + " without an error of the service"),
        e);
  }

  private static StoreException refusal(BucketPrefix place, String key, BlobStorageException e) {
    String code = String.valueOf(e.getErrorCode());
    String message = describe(place, key, e.getStatusCode() + " " + code);
    StoreFailure failure = failure(e.getStatusCode(), code, String.valueOf(e.getServiceMessage()));
    if (e.getStatusCode() == 404
        && failure != StoreFailure.NO_BUCKET
        && failure != StoreFailure.GATEWAY) {
      return new StoreException.NotFound(key);
    }
    return failure == null
        ? new StoreException.Denied(message, e)
        : new StoreException.Unavailable(failure, message, e);
  }

  /// Null for a request that the store never takes.
  ///
  /// @param said the service's message: only its details tell a skewed clock from a wrong key
  /// @param code `null` where the answer is not the service's
  public static @Nullable StoreFailure failure(int status, String code, String said) {
    if (code.equals("null") && StoreFailure.isOfGateway(status)) {
      return StoreFailure.GATEWAY;
    }
    return switch (code) {
      case "ServerBusy", "TooManyRequests" -> StoreFailure.THROTTLED;
      case "ContainerNotFound", "ContainerBeingDeleted", "ContainerDisabled" ->
          StoreFailure.NO_BUCKET;
      case "AuthenticationFailed" ->
          said.contains("Request date header too old") || said.contains("not within the valid time")
              ? StoreFailure.CLOCK
              : StoreFailure.CREDENTIALS;
      case "InvalidAuthenticationInfo", "NoAuthenticationInformation" -> StoreFailure.CREDENTIALS;
      case "AccountBeingCreated" -> StoreFailure.DENIED;
      case "BlobArchived", "BlobBeingRehydrated" -> StoreFailure.ARCHIVED;
      // What came differs from what was sent, or a part of it is gone: the next try sends all.
      case "Md5Mismatch", "Crc64Mismatch", "InvalidBlockList" -> StoreFailure.INTERNAL;
      default ->
          switch (status) {
            case 401 -> StoreFailure.CREDENTIALS;
            case 403 -> StoreFailure.DENIED;
            case 429, 503 -> StoreFailure.THROTTLED;
            case 507 -> StoreFailure.FULL;
            case 400, 405, 411, 413, 501 -> null;
            default -> StoreFailure.INTERNAL;
          };
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
