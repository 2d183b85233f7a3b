package dev.holdfast.objectstore.s3;

import dev.holdfast.objectstore.BucketPrefix;
import dev.holdfast.objectstore.Keys;
import dev.holdfast.objectstore.Nonce;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.TryTime;
import dev.holdfast.world.Ids;
import dev.holdfast.world.World;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;
import software.amazon.awssdk.services.s3.model.S3Object;

/// A store in a bucket of Amazon S3 or of any server that speaks its protocol.
///
/// An S3 ETag is a hash of the content, so equal writes have equal ETags; a register therefore
/// begins with a nonce, which is also in its metadata, where `get` finds how much to take off.
public final class S3Store implements ObjectStore {
  static final String NONCE = "holdfast-nonce";
  private static final int CONNECTIONS_MAX = 128;
  private static final Duration CONNECT_MAX = Duration.ofSeconds(3);
  private static final Duration SILENCE_MAX = Duration.ofSeconds(20);

  /// Of a server that copies a large object.
  private static final Duration COPYING_SILENCE_MAX = Duration.ofMinutes(10);

  private static final int KEYS_PER_REQUEST = 1000;

  private final S3Client client;
  private final PatientClient patient;
  private final S3Credentials credentials;
  private final BucketPrefix place;
  private final Ids ids;
  private final S3Writes writes;

  private S3Store(
      S3Client client,
      PatientClient patient,
      S3Credentials credentials,
      BucketPrefix place,
      Ids ids) {
    this.client = client;
    this.patient = patient;
    this.credentials = credentials;
    this.place = place;
    this.ids = ids;
    writes = new S3Writes(client, patient, place);
  }

  /// Credentials, and what the options do not say, come from where the AWS tools look for them:
  /// `AWS_…` variables, `~/.aws`, the container or the instance; credentials are looked for anew
  /// after they were refused.
  public static S3Store open(BucketPrefix place, SortedMap<String, String> options, World world)
      throws StoreException {
    return open(place, options, world, SILENCE_MAX);
  }

  /// @param silence how long a server may say nothing, unless it copies a large object
  static S3Store open(
      BucketPrefix place, SortedMap<String, String> options, World world, Duration silence)
      throws StoreException {
    try {
      S3Credentials credentials =
          new S3Credentials(() -> DefaultCredentialsProvider.builder().build(), world.clock());
      String endpoint = options.get("store.s3.endpoint");
      S3ClientBuilder builder =
          S3Client.builder()
              .credentialsProvider(credentials)
              .httpClientBuilder(connections(silence, endpoint))
              .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
              .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
              .serviceConfiguration(c -> c.chunkedEncodingEnabled(false))
              .overrideConfiguration(c ->
                  c.retryStrategy(AwsRetryStrategy.doNotRetry())
                      .apiCallTimeout(S3Writes.TIME_MAX)
                      .addExecutionInterceptor(credentials));
      String region = options.get("store.s3.region");
      if (endpoint != null) {
        builder.endpointOverride(URI.create(endpoint));
      }
      if (region != null) {
        builder.region(Region.of(region));
      } else if (endpoint != null && System.getenv("AWS_REGION") == null) {
        builder.region(Region.US_EAST_1); // servers elsewhere want one, whichever
      }
      // Names of buckets as hosts need DNS, which servers elsewhere rarely have.
      builder.forcePathStyle(
          Boolean.parseBoolean(
              options.getOrDefault("store.s3.path_style", Boolean.toString(endpoint != null))));
      S3Client client = builder.build();
      PatientClient patient =
          new PatientClient(
              () -> builder.httpClientBuilder(connections(COPYING_SILENCE_MAX, endpoint)).build());
      return new S3Store(client, patient, credentials, place, world.ids());
    } catch (SdkException | IllegalArgumentException e) {
      throw new StoreException.Denied(notOpened(place, e), e);
    }
  }

  /// The client tells of a missing region by all the classes that were asked for one.
  static String notOpened(BucketPrefix place, RuntimeException why) {
    return String.valueOf(why.getMessage()).startsWith("Unable to load region")
        ? "no region for [" + place.name() + "]: set store.s3.region or AWS_REGION"
        : "cannot open the store [" + place.name() + "]: " + why.getMessage();
  }

  private static Apache5HttpClient.Builder connections(
      Duration silence, @Nullable String endpoint) {
    Apache5HttpClient.Builder connections =
        Apache5HttpClient.builder()
            .maxConnections(CONNECTIONS_MAX)
            .connectionTimeout(CONNECT_MAX)
            .socketTimeout(silence);
    return endpoint != null && endpoint.startsWith("http://")
        ? connections.tlsSocketStrategy((_, host, port, _, _) -> {
          // Instead of all that a client prepares for TLS, which takes a cold Java machine long.
          throw new SSLException("the store at [" + host + ":" + port + "] is not encrypted");
        })
        : connections;
  }

  @Override
  public String name() {
    return place.name();
  }

  @Override
  public Version put(String key, ObjectBody body) throws StoreException {
    return writes.write(key, body, S3Condition.NONE, Map.of());
  }

  @Override
  public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
    Version version = writes.writeIf(key, body, S3Condition.ABSENT, Map.of());
    return version == null ? new Creation.AlreadyExists() : new Creation.Created(version);
  }

  @Override
  public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes)
      throws StoreException {
    if (Version.UNKNOWN.equals(expected)) {
      return new Swap.Conflict();
    }
    String nonce = ids.uuid();
    try {
      Version version =
          writes.writeIf(
              key, Nonce.mark(nonce, bytes), S3Condition.of(expected), Map.of(NONCE, nonce));
      return version == null ? new Swap.Conflict() : new Swap.Swapped(version);
    } catch (StoreException.Unavailable e) {
      throw e.ofAttempt(nonce);
    }
  }

  @Override
  public Optional<StoredObject> get(String key) throws StoreException {
    try {
      return S3Failures.sorted(
          place,
          key,
          () -> {
            Duration max = TryTime.atMost(S3Writes.TIME_MAX);
            try (ResponseInputStream<GetObjectResponse> in =
                client.getObject(
                    request(key).overrideConfiguration(c -> c.apiCallTimeout(max)).build())) {
              String eTag = S3Failures.requireSaid(place, key, in.response().eTag());
              byte[] bytes = S3Failures.readAll(in, in.response().contentLength());
              String nonce = in.response().metadata().get(NONCE);
              return Optional.of(
                  new StoredObject(
                      nonce == null ? bytes : Nonce.strip(key, eTag, nonce, bytes),
                      Nonce.version(eTag, nonce)));
            } catch (SdkException e) {
              StoreException.Unavailable waitedOut = S3Failures.waitedOut(place, key, e);
              if (waitedOut != null) {
                throw waitedOut;
              }
              throw e;
            }
          });
    } catch (StoreException.NotFound e) {
      return Optional.empty();
    }
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    if (length == 0) {
      return atEnd(key, offset); // HTTP knows no empty range
    }
    Optional<Suffix> range = range(key, S3Range.of(offset, length));
    return range.isPresent() ? range.get().bytes() : atEnd(key, offset);
  }

  private byte[] atEnd(String key, long offset) throws StoreException {
    if (length(key) < offset) {
      throw new StoreException.NotFound(key + " at " + offset);
    }
    return new byte[0];
  }

  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    if (length > 0) {
      Optional<Suffix> suffix = range(key, S3Range.last(length));
      if (suffix.isPresent()) {
        return suffix.get();
      }
    }
    return new Suffix(new byte[0], length(key)); // HTTP knows no empty range
  }

  /// Empty when no byte of the object lies in the range.
  private Optional<Suffix> range(String key, S3Range range) throws StoreException {
    return S3Failures.sorted(
        place,
        key,
        () -> {
          try (ResponseInputStream<GetObjectResponse> in =
              client.getObject(request(key).range(range.header()).build())) {
            String _ = S3Failures.requireSaid(place, key, in.response().eTag());
            return range.read(in, in.response().contentRange(), in.response().contentLength());
          } catch (SdkException e) {
            if (S3Failures.status(e) == 416) {
              return Optional.empty();
            }
            throw e;
          }
        });
  }

  private long length(String key) throws StoreException {
    return S3Failures.sorted(place, key, () -> writes.length(key));
  }

  private GetObjectRequest.Builder request(String key) {
    return GetObjectRequest.builder().bucket(place.bucket()).key(place.full(key));
  }

  @Override
  public List<Listed> list(String prefix, String after, int max) throws StoreException {
    String from = place.fullPrefix(after);
    String token = null;
    List<Listed> listed = new ArrayList<>();
    boolean isMore = max > 0;
    while (isMore) {
      String begin = from;
      String behind = token;
      int wanted = Math.min(KEYS_PER_REQUEST, max - listed.size());
      ListObjectsV2Response page =
          S3Failures.sorted(
              place,
              prefix,
              () ->
                  client.listObjectsV2(r ->
                      r.bucket(place.bucket())
                          .prefix(place.fullPrefix(prefix))
                          .startAfter(begin)
                          .continuationToken(behind)
                          .maxKeys(wanted)));
      boolean isTruncated = S3Failures.requireSaid(place, prefix, page.isTruncated());
      if (!page.contents().isEmpty() && !from.equals(place.fullPrefix(""))) {
        S3Failures.requireBehind(place, prefix, from, page.contents().getFirst().key());
      }
      for (S3Object object : page.contents()) {
        String key = place.key(object.key());
        if (Keys.isKey(key)) {
          listed.add(
              new Listed(
                  key,
                  object.size(),
                  object.lastModified().toEpochMilli(),
                  Objects.requireNonNullElse(object.storageClassAsString(), "")));
        }
        from = object.key();
      }
      // A page may be empty where much was deleted: only its token says where the next begins.
      token = page.contents().isEmpty() ? page.nextContinuationToken() : null;
      if (token != null && token.equals(behind)) {
        throw S3Failures.ofListWithoutEnd(place, prefix, "the same empty page again");
      }
      isMore = isTruncated && (token != null || !page.contents().isEmpty()) && listed.size() < max;
    }
    return listed;
  }

  @Override
  public void copy(String from, String to) throws StoreException {
    writes.copy(from, to);
  }

  @Override
  public void changeClass(String key, String storageClass) throws StoreException {
    writes.changeClass(key, storageClass);
  }

  @Override
  public void deleteAll(Collection<String> keys) throws StoreException {
    List<String> left = List.copyOf(keys);
    for (int begin = 0; begin < left.size(); begin += KEYS_PER_REQUEST) {
      List<ObjectIdentifier> some =
          left.subList(begin, Math.min(left.size(), begin + KEYS_PER_REQUEST)).stream()
              .map(key -> ObjectIdentifier.builder().key(place.full(key)).build())
              .toList();
      DeleteObjectsResponse response =
          S3Failures.sorted(
              place,
              left.get(begin),
              () ->
                  client.deleteObjects(r ->
                      r.bucket(place.bucket())
                          .delete(Delete.builder().objects(some).quiet(true).build())));
      S3Failures.requireNoPage(place, left.get(begin), response.sdkHttpResponse());
      for (S3Error error : response.errors()) {
        S3Failures.refuse(place, error);
      }
    }
  }

  @Override
  public void close() {
    client.close();
    patient.close();
    credentials.close();
  }
}
