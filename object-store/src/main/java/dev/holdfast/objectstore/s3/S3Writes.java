package dev.holdfast.objectstore.s3;

import dev.holdfast.objectstore.BucketPrefix;
import dev.holdfast.objectstore.Nonce;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore.Version;
import dev.holdfast.objectstore.Parts;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.TryTime;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CopyObjectResult;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.MetadataDirective;

/// How objects get into a bucket: whole, in parts, as copies.
final class S3Writes {
  /// For a request without many bytes.
  static final Duration TIME_MAX = Duration.ofSeconds(30);

  /// What the slowest link that is of use carries.
  private static final long BYTES_PER_SECOND_MIN = 1 << 20;

  /// S3 copies no more in one request.
  private static final long COPY_BYTES_MAX = 5L << 30;

  /// A server may copy more for longer than it may be silent otherwise.
  static final long LARGE_COPY_BYTES = 128L << 20;

  private static final String TYPE = "application/octet-stream";

  private final S3Client client;
  private final PatientClient patient;
  private final BucketPrefix place;

  S3Writes(S3Client client, PatientClient patient, BucketPrefix place) {
    this.client = client;
    this.patient = patient;
    this.place = place;
  }

  Version write(String key, ObjectBody body, S3Condition condition, Map<String, String> metadata)
      throws StoreException {
    return S3Failures.sorted(place, key, () -> send(key, body, condition, metadata));
  }

  /// Null when the condition does not hold.
  @Nullable Version writeIf(
      String key, ObjectBody body, S3Condition condition, Map<String, String> metadata)
      throws StoreException {
    return S3Failures.<@Nullable Version>sorted(
        place,
        key,
        () -> {
          try {
            return send(key, body, condition, metadata);
          } catch (SdkException e) {
            // 404: the object to be replaced is gone. 409 is no answer to the condition: try again.
            if (S3Failures.status(e) == 412
                || (condition.ifMatch() != null && S3Failures.isMissing(e))) {
              return null;
            }
            StoreException.Unavailable waitedOut = S3Failures.waitedOut(place, key, e);
            if (waitedOut != null) {
              throw waitedOut;
            }
            throw e;
          }
        });
  }

  private Version send(
      String key, ObjectBody body, S3Condition condition, Map<String, String> metadata)
      throws IOException {
    return Parts.isCut(body.length())
        ? sendParts(key, body, condition)
        : sendWhole(key, body, condition, metadata);
  }

  private Version sendWhole(
      String key, ObjectBody body, S3Condition condition, Map<String, String> metadata)
      throws IOException {
    String checksum = checksum(body);
    RequestBody request = RequestBody.fromContentProvider(opening(body), body.length(), TYPE);
    String eTag =
        client
            .putObject(
                r ->
                    r.bucket(place.bucket())
                        .key(place.full(key))
                        .contentType(TYPE)
                        .metadata(metadata)
                        .ifMatch(condition.ifMatch())
                        .ifNoneMatch(condition.ifNoneMatch())
                        .checksumCRC32C(checksum)
                        .overrideConfiguration(c -> c.apiCallTimeout(timeMax(body.length()))),
                request)
            .eTag();
    return Nonce.version(S3Failures.requireSaid(place, key, eTag), metadata.get(S3Store.NONCE));
  }

  private Version sendParts(String key, ObjectBody body, S3Condition condition) throws IOException {
    String full = place.full(key);
    String upload =
        S3Failures.requireSaid(
            place,
            key,
            client
                .createMultipartUpload(r ->
                    r.bucket(place.bucket())
                        .key(full)
                        .contentType(TYPE)
                        .checksumAlgorithm(ChecksumAlgorithm.CRC32_C))
                .uploadId());
    try {
      List<CompletedPart> parts = new ArrayList<>();
      try (InputStream in = body.open()) {
        int partBytes = Parts.partBytes(body.length());
        for (byte[] part = in.readNBytes(partBytes);
            part.length > 0;
            part = in.readNBytes(partBytes)) {
          parts.add(sendPart(full, upload, parts.size() + 1, part));
        }
      }
      String eTag =
          client
              .completeMultipartUpload(r ->
                  r.bucket(place.bucket())
                      .key(full)
                      .uploadId(upload)
                      .ifMatch(condition.ifMatch())
                      .ifNoneMatch(condition.ifNoneMatch())
                      .multipartUpload(m -> m.parts(parts)))
              .eTag();
      return Nonce.version(S3Failures.requireSaid(place, key, eTag), null);
    } catch (SdkException | IOException e) {
      abort(full, upload, e);
      throw e;
    }
  }

  private CompletedPart sendPart(String full, String upload, int number, byte[] part)
      throws IOException {
    ObjectBody body = ObjectBody.of(part);
    String checksum = checksum(body);
    String eTag =
        client
            .uploadPart(
                r ->
                    r.bucket(place.bucket())
                        .key(full)
                        .uploadId(upload)
                        .partNumber(number)
                        .checksumCRC32C(checksum)
                        .overrideConfiguration(c -> c.apiCallTimeout(timeMax(part.length))),
                RequestBody.fromContentProvider(opening(body), part.length, TYPE))
            .eTag();
    return CompletedPart.builder().partNumber(number).eTag(eTag).checksumCRC32C(checksum).build();
  }

  /// The bucket's life-cycle rule takes away what this does not.
  private void abort(String full, String upload, Exception because) {
    try {
      client.abortMultipartUpload(r -> r.bucket(place.bucket()).key(full).uploadId(upload));
    } catch (SdkException e) {
      because.addSuppressed(e);
    }
  }

  void copy(String from, String to) throws StoreException {
    copy(from, to, null);
  }

  /// A copy onto itself, which S3 takes because of what it replaces; until it is whole, the object
  /// is what it was. Blobs have no metadata that could be lost.
  void changeClass(String key, String storageClass) throws StoreException {
    copy(key, key, storageClass);
  }

  /// @param storageClass null for the usual one, and metadata as they are
  private void copy(String from, String to, @Nullable String storageClass) throws StoreException {
    S3Failures.sorted(
        place,
        from,
        () -> {
          String source = place.full(from);
          String target = place.full(to);
          long length = length(from);
          if (length > COPY_BYTES_MAX) {
            return S3Failures.requireSaid(
                place, to, copyParts(source, target, length, storageClass));
          }
          CopyObjectResult copied =
              (length < LARGE_COPY_BYTES ? client : patient.get())
                  .copyObject(r -> {
                    r.sourceBucket(place.bucket())
                        .sourceKey(source)
                        .destinationBucket(place.bucket())
                        .destinationKey(target)
                        .overrideConfiguration(c -> c.apiCallTimeout(timeMax(length)));
                    if (storageClass != null) {
                      r.storageClass(storageClass)
                          .metadataDirective(MetadataDirective.REPLACE)
                          .contentType(TYPE);
                    }
                  })
                  .copyObjectResult();
          return S3Failures.requireSaid(place, to, copied == null ? null : copied.eTag());
        });
  }

  /// Of an object, in bytes. An answer to HEAD has no words: that there is no such object anything
  /// between may say, so the store is asked for a byte then, and says which it is.
  long length(String key) throws IOException {
    HeadObjectResponse head;
    try {
      head = client.headObject(r -> r.bucket(place.bucket()).key(place.full(key)));
    } catch (SdkException e) {
      if (S3Failures.status(e) == 404) {
        requireAnswered(key);
        throw new StoreException.Unavailable(
            "["
                + place.name()
                + "] has an object of which it says that it is not there ["
                + key
                + "]",
            e);
      }
      throw e;
    }
    String _ = S3Failures.requireSaid(place, key, head.eTag());
    return S3Range.length(head.contentLength());
  }

  /// Asks for the first byte. One that has none is there, too.
  private void requireAnswered(String key) throws IOException {
    try (var answer =
        client.getObject(r -> r.bucket(place.bucket()).key(place.full(key)).range("bytes=0-0"))) {
      answer.abort();
    } catch (SdkException e) {
      if (S3Failures.status(e) != 416) {
        throw e;
      }
    }
  }

  /// @param storageClass null for the usual one
  private String copyParts(
      String source, String target, long length, @Nullable String storageClass) {
    S3Client copying = patient.get();
    String upload =
        client
            .createMultipartUpload(r ->
                r.bucket(place.bucket()).key(target).contentType(TYPE).storageClass(storageClass))
            .uploadId();
    try {
      List<CompletedPart> parts = new ArrayList<>();
      for (long begin = 0; begin < length; begin += COPY_BYTES_MAX / 5) {
        String range = "bytes=" + begin + "-" + (Math.min(length, begin + COPY_BYTES_MAX / 5) - 1);
        int number = parts.size() + 1;
        String eTag =
            copying
                .uploadPartCopy(r ->
                    r.sourceBucket(place.bucket())
                        .sourceKey(source)
                        .destinationBucket(place.bucket())
                        .destinationKey(target)
                        .uploadId(upload)
                        .partNumber(number)
                        .copySourceRange(range)
                        .overrideConfiguration(c -> c.apiCallTimeout(timeMax(COPY_BYTES_MAX / 5))))
                .copyPartResult()
                .eTag();
        parts.add(CompletedPart.builder().partNumber(number).eTag(eTag).build());
      }
      return copying
          .completeMultipartUpload(r ->
              r.bucket(place.bucket())
                  .key(target)
                  .uploadId(upload)
                  .overrideConfiguration(c -> c.apiCallTimeout(timeMax(length)))
                  .multipartUpload(m -> m.parts(parts)))
          .eTag();
    } catch (SdkException e) {
      abort(target, upload, e);
      throw e;
    }
  }

  private static Duration timeMax(long bytes) {
    return TryTime.atMost(TIME_MAX).plusSeconds(bytes / BYTES_PER_SECOND_MIN);
  }

  private static ContentStreamProvider opening(ObjectBody body) {
    return () -> {
      try {
        return body.open();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /// Base64 of the CRC32C of all bytes: the server refuses what got damaged on its way.
  private static String checksum(ObjectBody body) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[(int) Math.min(body.length() + 1, 64 << 10)];
    try (InputStream in = body.open()) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        crc.update(buffer, 0, read);
      }
    }
    byte[] bytes = ByteBuffer.allocate(4).putInt((int) crc.getValue()).array();
    return Base64.getEncoder().encodeToString(bytes);
  }
}
