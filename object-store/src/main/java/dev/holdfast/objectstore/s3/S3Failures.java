package dev.holdfast.objectstore.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.objectstore.BucketPrefix;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.S3Error;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// What S3's failures mean to a store's caller.
public final class S3Failures {
  /// Refusals (4xx) that another try may overcome.
  private static final Set<String> PASSING =
      Set.of(
          "RequestTimeout",
          "BadDigest",
          "XAmzContentChecksumMismatch",
          "XAmzContentSHA256Mismatch",
          "InvalidPart",
          "IncompleteBody",
          "OperationAborted",
          "ConditionalRequestConflict");

  private static final Set<String> THROTTLED =
      Set.of(
          "SlowDown",
          "SlowDownRead",
          "SlowDownWrite",
          "Throttling",
          "ThrottlingException",
          "TooManyRequests",
          "TooManyRequestsException",
          "RequestLimitExceeded",
          "BandwidthLimitExceeded");

  private static final Set<String> CREDENTIALS =
      Set.of(
          "ExpiredToken",
          "ExpiredTokenException",
          "RequestExpired",
          "TokenRefreshRequired",
          "InvalidToken",
          "InvalidClientTokenId",
          "UnrecognizedClientException",
          "InvalidAccessKeyId",
          "SignatureDoesNotMatch");

  /// Also of servers that are not Amazon's.
  private static final Set<String> FULL =
      Set.of(
          "QuotaExceeded",
          "StorageQuotaExceeded",
          "XMinioStorageFull",
          "XMinioAdminBucketQuotaExceeded",
          "InsufficientStorage");

  private static final int MESSAGE_MAX = 300;

  private S3Failures() {}

  static <T extends @Nullable Object> T sorted(BucketPrefix place, String key, Step<T> step)
      throws StoreException {
    try {
      return step.run();
    } catch (StoreException e) {
      throw e;
    } catch (AwsServiceException e) {
      throw refusal(place, key, e);
    } catch (SdkException e) {
      throw unsent(place, key, e);
    } catch (IOException e) {
      throw new StoreException.Unavailable(describe(place, key, String.valueOf(e)), e);
    }
  }

  /// What the client never sent, or got no answer to.
  private static StoreException unsent(BucketPrefix place, String key, SdkException e) {
    String message = String.valueOf(e.getMessage());
    return message.contains("Unable to load credentials")
        ? new StoreException.Unavailable(
            StoreFailure.CREDENTIALS,
            "no credentials for ["
                + place.name()
                + "]: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,"
                + " or use another way the AWS tools know",
            e)
        : new StoreException.Unavailable(describe(place, key, message), e);
  }

  private static StoreException refusal(BucketPrefix place, String key, AwsServiceException e) {
    String said =
        e.awsErrorDetails() == null || e.awsErrorDetails().errorMessage() == null
            ? ""
            : ": " + e.awsErrorDetails().errorMessage();
    if (isOfCredentialsProvider(e)) {
      return new StoreException.Unavailable(
          StoreFailure.CREDENTIALS, describe(place, key, e.statusCode() + " " + code(e) + said), e);
    }
    return refusal(place, key, status(e), code(e), said, e);
  }

  private static StoreException refusal(
      BucketPrefix place,
      String key,
      int status,
      String code,
      String said,
      @Nullable Exception cause) {
    if (isMissing(status, code)) {
      return new StoreException.NotFound(key);
    }
    String all = status + " " + code + said;
    String message =
        describe(place, key, all.substring(0, Math.min(MESSAGE_MAX, all.length())).strip());
    StoreFailure failure = failure(status, code);
    return failure == null
        ? new StoreException.Denied(message, cause)
        : new StoreException.Unavailable(failure, message, cause);
  }

  /// What nodes do again and again no answer ends: one that means "never" may be of a server that
  /// is being upgraded, or of a gateway that speaks as a store does, and a node that is started
  /// again would end over the same answer. 501 is of a server that has no such requests.
  ///
  /// @return what to throw instead of `e`; null for nothing else
  static StoreException.@Nullable Unavailable waitedOut(
      BucketPrefix place, String key, SdkException e) {
    if (!(e instanceof AwsServiceException service)
        || isOfCredentialsProvider(service)
        || isMissing(service)
        || status(service) == 416
        || status(service) == 501
        || failure(status(service), code(service)) != null) {
      return null;
    }
    return new StoreException.Unavailable(
        StoreFailure.DENIED, String.valueOf(refusal(place, key, service).getMessage()), service);
  }

  /// Whether the store itself says that there is no such object: what is between says so of
  /// everything.
  private static boolean isMissing(int status, String code) {
    return status == 404
        && !code.isEmpty()
        && !code.equals("NoSuchBucket")
        && !code.equals("NoSuchUpload");
  }

  static boolean isMissing(SdkException e) {
    return e instanceof AwsServiceException service && isMissing(status(e), code(service));
  }

  /// Null for a request that the store never takes.
  ///
  /// @param code empty where the answer is not S3's
  public static @Nullable StoreFailure failure(int status, String code) {
    if (code.isEmpty() && StoreFailure.isOfGateway(status)) {
      return StoreFailure.GATEWAY;
    }
    if (FULL.contains(code) || status == 507) {
      return StoreFailure.FULL;
    }
    if (code.startsWith("KMS.")) {
      return code.contains("Throttl") ? StoreFailure.THROTTLED : StoreFailure.DENIED;
    }
    if (THROTTLED.contains(code) || status == 429 || status == 503) {
      return StoreFailure.THROTTLED;
    }
    if (CREDENTIALS.contains(code) || status == 401) {
      return StoreFailure.CREDENTIALS;
    }
    return switch (code) {
      case "RequestTimeTooSkewed" -> StoreFailure.CLOCK;
      case "NoSuchBucket" -> StoreFailure.NO_BUCKET;
      case "NoSuchUpload" -> StoreFailure.INTERNAL;
      case "InvalidObjectState" -> StoreFailure.ARCHIVED;
      default -> {
        if (status == 403) {
          yield StoreFailure.DENIED;
        }
        boolean isPassing = status == 408 || status == 409 || status == 412 || status == 307;
        yield isPassing || PASSING.contains(code) || (status >= 500 && status != 501)
            ? StoreFailure.INTERNAL
            : null;
      }
    };
  }

  /// Whether it was not the store that refused but what hands out credentials (STS, SSO, …).
  private static boolean isOfCredentialsProvider(AwsServiceException e) {
    return !(e instanceof S3Exception);
  }

  /// Whether other credentials might have been accepted.
  static boolean mayBeOfCredentials(Throwable e) {
    if (!(e instanceof AwsServiceException service)) {
      return e instanceof SdkException
          && String.valueOf(e.getMessage()).contains("Unable to load credentials");
    }
    StoreFailure failure = failure(service.statusCode(), code(service));
    return isOfCredentialsProvider(service)
        || failure == StoreFailure.CREDENTIALS
        || failure == StoreFailure.DENIED;
  }

  /// Throws what the refusal of one key of a batch means.
  static void refuse(BucketPrefix place, S3Error error) throws StoreException {
    switch (String.valueOf(error.code())) {
      case "NoSuchKey" -> {}
      case "AccessDenied" -> throw refusal(place, error.key(), 403, error.code(), "", null);
      default -> throw refusal(place, error.key(), 500, String.valueOf(error.code()), "", null);
    }
  }

  static int status(SdkException e) {
    return e instanceof AwsServiceException service ? service.statusCode() : 0;
  }

  private static String code(AwsServiceException e) {
    return e.awsErrorDetails() == null || e.awsErrorDetails().errorCode() == null
        ? ""
        : e.awsErrorDetails().errorCode();
  }

  private static String describe(BucketPrefix place, String key, String what) {
    return "request to [" + place.name() + "] failed [key=" + key + "]: " + what;
  }

  /// What an answer of the store always says: the page of a proxy, or of a network that wants a
  /// password, may have the status of a success, too. Taken for one, it would acknowledge what
  /// nobody has, and stand for an object.
  ///
  /// @param said null when the answer does not say it
  static <T> T requireSaid(BucketPrefix place, String key, @Nullable T said)
      throws StoreException.Unavailable {
    if (said == null) {
      throw ofPage(place, key);
    }
    return said;
  }

  /// The same for an answer that need not say anything.
  static void requireNoPage(BucketPrefix place, String key, SdkHttpResponse answer)
      throws StoreException.Unavailable {
    String type = answer.firstMatchingHeader("Content-Type").orElse("");
    if (type.toLowerCase(Locale.ROOT).startsWith("text/html")) {
      throw ofPage(place, key);
    }
  }

  private static StoreException.Unavailable ofPage(BucketPrefix place, String key) {
    return new StoreException.Unavailable(
        StoreFailure.GATEWAY,
        describe(place, key, "an answer with the status of a success that is not the store's"),
        null);
  }

  /// A page of a list goes on behind what was listed before it: one that comes again and again
  /// would be read without end.
  ///
  /// @param before what was listed last, or behind what the list was to begin
  /// @param listed the first of a page
  static void requireBehind(BucketPrefix place, String prefix, String before, String listed)
      throws StoreException.Unavailable {
    if (Arrays.compareUnsigned(listed.getBytes(UTF_8), before.getBytes(UTF_8)) <= 0) {
      throw ofListWithoutEnd(place, prefix, "[" + listed + "] behind [" + before + "]");
    }
  }

  static StoreException.Unavailable ofListWithoutEnd(
      BucketPrefix place, String prefix, String what) {
    return new StoreException.Unavailable(
        StoreFailure.INTERNAL,
        describe(place, prefix, "the store lists what it has listed before: " + what),
        null);
  }

  /// The whole answer, or none of it.
  ///
  /// @param length null when it comes in chunks, whose end is marked
  static byte[] readAll(InputStream in, @Nullable Long length) throws IOException {
    if (length == null) {
      return in.readAllBytes();
    }
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
