package dev.holdfast.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.objectstore.azure.AzureFailures;
import dev.holdfast.objectstore.file.FileFailures;
import dev.holdfast.objectstore.google.GoogleFailures;
import dev.holdfast.objectstore.s3.S3Failures;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the codes of each provider mean; an empty meaning is a request that the store never takes.
final class FailureKindsTest {
  @ParameterizedTest
  @CsvSource({
    "403, AccessDenied, DENIED",
    "403, AllAccessDisabled, DENIED",
    "403, '', DENIED", // a HEAD has no body to say more
    "400, KMS.DisabledException, DENIED",
    "400, KMS.ThrottlingException, THROTTLED",
    "403, InvalidAccessKeyId, CREDENTIALS",
    "403, SignatureDoesNotMatch, CREDENTIALS",
    "400, ExpiredToken, CREDENTIALS",
    "400, TokenRefreshRequired, CREDENTIALS",
    "400, InvalidToken, CREDENTIALS",
    "401, '', CREDENTIALS",
    "403, RequestTimeTooSkewed, CLOCK",
    "404, NoSuchBucket, NO_BUCKET",
    "403, InvalidObjectState, ARCHIVED",
    "503, SlowDown, THROTTLED",
    "503, ServiceUnavailable, THROTTLED",
    "429, TooManyRequests, THROTTLED",
    "507, XMinioStorageFull, FULL",
    "403, QuotaExceeded, FULL",
    "500, InternalError, INTERNAL",
    "400, RequestTimeout, INTERNAL",
    "400, BadDigest, INTERNAL",
    "400, XAmzContentSHA256Mismatch, INTERNAL",
    "400, InvalidPart, INTERNAL",
    "409, ConditionalRequestConflict, INTERNAL",
    "404, NoSuchUpload, INTERNAL",
    "404, '', GATEWAY",
    "302, '', GATEWAY",
    "400, '', GATEWAY",
    "405, '', GATEWAY",
    "413, '', GATEWAY",
    "500, '', INTERNAL",
    "503, '', THROTTLED",
    "501, '',",
    "400, InvalidRequest,",
    "501, NotImplemented,",
    "405, MethodNotAllowed,",
    "301, PermanentRedirect,"
  })
  void ofS3(int status, String code, @Nullable StoreFailure failure) {
    assertThat(S3Failures.failure(status, code)).isEqualTo(failure);
  }

  @ParameterizedTest
  @CsvSource({
    "401, authError, '', CREDENTIALS",
    "401, '', '', CREDENTIALS",
    "403, forbidden, does not have storage.objects.create access, DENIED",
    "403, insufficientPermissions, '', DENIED",
    "403, accountDisabled, '', DENIED",
    "403, rateLimitExceeded, '', THROTTLED",
    "403, userRateLimitExceeded, '', THROTTLED",
    "429, rateLimitExceeded, '', THROTTLED",
    "403, quotaExceeded, '', FULL",
    "403, '', RequestTimeTooSkewed, CLOCK",
    "404, notFound, The specified bucket does not exist., NO_BUCKET",
    "503, backendError, '', THROTTLED",
    "500, internalError, '', INTERNAL",
    "400, '', The Cloud KMS key is disabled, DENIED",
    "0, '', Error getting access token for service account, CREDENTIALS",
    "0, '', Connection refused, NETWORK",
    "400, invalid, 'Provided CRC32C \"a\" doesn''t match calculated CRC32C \"b\".', INTERNAL",
    "400, invalid, '',",
    "404, '', <HTML><title>404</title>, GATEWAY",
    "302, '', <html>moved</html>, GATEWAY",
    "413, '', '',"
  })
  void ofGoogle(int code, String reason, String message, @Nullable StoreFailure failure) {
    assertThat(GoogleFailures.failure(code, reason, message)).isEqualTo(failure);
  }

  @ParameterizedTest
  @CsvSource({
    "403, AuthenticationFailed, The MAC signature found in the HTTP request is not the same,"
        + " CREDENTIALS",
    "403, AuthenticationFailed, Request date header too old, CLOCK",
    "401, NoAuthenticationInformation, '', CREDENTIALS",
    "401, InvalidAuthenticationInfo, '', CREDENTIALS",
    "403, AuthorizationFailure, '', DENIED",
    "403, AuthorizationPermissionMismatch, '', DENIED",
    "403, InsufficientAccountPermissions, '', DENIED",
    "403, AccountIsDisabled, '', DENIED",
    "404, ContainerNotFound, '', NO_BUCKET",
    "409, ContainerBeingDeleted, '', NO_BUCKET",
    "409, BlobArchived, '', ARCHIVED",
    "409, BlobBeingRehydrated, '', ARCHIVED",
    "503, ServerBusy, '', THROTTLED",
    "500, OperationTimedOut, '', INTERNAL",
    "404, null, '', GATEWAY",
    "301, null, '', GATEWAY",
    "503, null, '', THROTTLED",
    "400, Md5Mismatch, '', INTERNAL",
    "400, InvalidBlockList, '', INTERNAL",
    "400, InvalidHeaderValue, '',"
  })
  void ofAzure(int status, String code, String said, @Nullable StoreFailure failure) {
    assertThat(AzureFailures.failure(status, code, said)).isEqualTo(failure);
  }

  @Test
  void ofFiles() {
    assertThat(FileFailures.failure("/store/temp/1: No space left on device"))
        .isEqualTo(StoreFailure.FULL);
    assertThat(FileFailures.failure("Disk quota exceeded")).isEqualTo(StoreFailure.FULL);
    assertThat(FileFailures.failure("Read-only file system")).isEqualTo(StoreFailure.DENIED);
    assertThat(FileFailures.failure("Input/output error")).isEqualTo(StoreFailure.INTERNAL);
  }
}
