package dev.holdfast.objectstore;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Error;

/// What S3's failures mean to a store's caller.
final class S3Failures {
  /// Refusals (4xx) that another try may overcome.
  private static final Set<String> PASSING =
      Set.of(
          "RequestTimeout",
          "ExpiredToken",
          "BadDigest",
          "XAmzContentChecksumMismatch",
          "IncompleteBody",
          "SlowDown",
          "OperationAborted",
          "ConditionalRequestConflict");

  private S3Failures() {}

  static <T extends @Nullable Object> T sorted(BucketPrefix place, String key, Step<T> step)
      throws StoreException {
    try {
      return step.run();
    } catch (StoreException e) {
      throw e;
    } catch (AwsServiceException e) {
      throw refusal(place, key, status(e), code(e), e);
    } catch (SdkException e) {
      String message = String.valueOf(e.getMessage());
      throw message.contains("Unable to load credentials")
          ? new StoreException.Denied(
              "no credentials for ["
                  + place.name()
                  + "]: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,"
                  + " or use another way the AWS tools know",
              e)
          : new StoreException.Unavailable(describe(place, key, message), e);
    } catch (IOException e) {
      throw new StoreException.Unavailable(describe(place, key, String.valueOf(e)), e);
    }
  }

  private static StoreException refusal(
      BucketPrefix place, String key, int status, String code, @Nullable Exception cause) {
    String message = describe(place, key, status + " " + code);
    if (status == 404 && !code.equals("NoSuchBucket") && !code.equals("NoSuchUpload")) {
      return new StoreException.NotFound(key);
    }
    boolean isPassing =
        status >= 500
            || status == 408
            || status == 409
            || status == 412
            || status == 429
            || code.equals("NoSuchUpload")
            || PASSING.contains(code);
    return isPassing
        ? new StoreException.Unavailable(message, cause)
        : new StoreException.Denied(message, cause);
  }

  /// Throws what the refusal of one key of a batch means.
  static void refuse(BucketPrefix place, S3Error error) throws StoreException {
    switch (String.valueOf(error.code())) {
      case "NoSuchKey" -> {}
      case "AccessDenied" -> throw refusal(place, error.key(), 403, error.code(), null);
      default -> throw refusal(place, error.key(), 500, String.valueOf(error.code()), null);
    }
  }

  static int status(SdkException e) {
    return e instanceof AwsServiceException service ? service.statusCode() : 0;
  }

  static boolean isNoBucket(SdkException e) {
    return e instanceof AwsServiceException service && code(service).equals("NoSuchBucket");
  }

  private static String code(AwsServiceException e) {
    return e.awsErrorDetails() == null || e.awsErrorDetails().errorCode() == null
        ? ""
        : e.awsErrorDetails().errorCode();
  }

  private static String describe(BucketPrefix place, String key, String what) {
    return "request to [" + place.name() + "] failed [key=" + key + "]: " + what;
  }

  /// The whole answer, or none of it.
  static byte[] readAll(InputStream in, long length) throws IOException {
    byte[] bytes = in.readNBytes(Math.toIntExact(length));
    if (bytes.length != length) {
      throw new IOException("answer cut off after " + bytes.length + " of " + length + " bytes");
    }
    return bytes;
  }

  /// A request, which may fail in the SDK's ways.
  interface Step<T extends @Nullable Object> {
    T run() throws IOException;
  }
}
