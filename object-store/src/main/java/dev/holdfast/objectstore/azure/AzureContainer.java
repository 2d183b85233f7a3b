package dev.holdfast.objectstore.azure;

import com.azure.core.http.HttpClient;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import dev.holdfast.objectstore.BucketPrefix;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.world.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The client of a container, made anew when its credentials were refused and the file that they
/// come from says something else by now: keys are rotated, shared access signatures expire.
final class AzureContainer {
  private static final Logger LOG = LoggerFactory.getLogger(AzureContainer.class);

  static final Duration TIME_MAX = Duration.ofMinutes(2);

  /// A store that refuses is asked often; the file is read less often.
  static final Duration RELOAD_EVERY = Duration.ofSeconds(5);

  static final String CONNECTION = "store.azure.connection_string";
  static final String CONNECTION_FILE = "store.azure.connection_string_file";
  static final String ENDPOINT = "store.azure.endpoint";

  /// Of a connection string.
  private static final String SIGNATURE = "SharedAccessSignature=";

  private static final Duration CONNECT_MAX = Duration.ofSeconds(3);
  private static final Duration SILENCE_MAX = Duration.ofSeconds(20);

  private final BucketPrefix place;
  private final Clock clock;
  private final HttpClient http;
  private final @Nullable Path file;
  private final @Nullable String endpoint;
  private volatile BlobContainerClient current;
  private volatile String signature;

  // Guarded by this.
  private String connection;
  private long reloadedNanos;

  private AzureContainer(
      BucketPrefix place,
      Clock clock,
      @Nullable Path file,
      String connection,
      @Nullable String endpoint)
      throws StoreException {
    this.place = place;
    this.clock = clock;
    this.http =
        new JdkHttpClientBuilder()
            .connectionTimeout(CONNECT_MAX)
            .responseTimeout(SILENCE_MAX)
            .readTimeout(SILENCE_MAX)
            .writeTimeout(SILENCE_MAX)
            .build();
    this.file = file;
    this.endpoint = endpoint;
    this.connection = connection;
    this.reloadedNanos = clock.nanoTime() - RELOAD_EVERY.toNanos();
    this.current = client(connection);
    this.signature = signature(connection, endpoint);
  }

  /// The connection string (option, the file that an option names, or
  /// `AZURE_STORAGE_CONNECTION_STRING`) has the credentials; an endpoint is a URL with a shared
  /// access signature. Only what is in a file can be renewed without a restart.
  static AzureContainer open(BucketPrefix place, SortedMap<String, String> options, Clock clock)
      throws StoreException {
    String named = options.getOrDefault(CONNECTION_FILE, "");
    Path file = named.isEmpty() ? null : Path.of(named);
    String connection =
        file != null
            ? read(place, file)
            : options.getOrDefault(
                CONNECTION, System.getenv().getOrDefault("AZURE_STORAGE_CONNECTION_STRING", ""));
    String endpoint = options.get(ENDPOINT);
    if (connection.isEmpty() && endpoint == null) {
      throw new StoreException.Denied(
          "no credentials for ["
              + place.name()
              + "]: set "
              + CONNECTION
              + ", "
              + CONNECTION_FILE
              + " or "
              + ENDPOINT,
          null);
    }
    return new AzureContainer(place, clock, file, connection, endpoint);
  }

  private static String read(BucketPrefix place, Path file) throws StoreException {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new StoreException.Denied(
          "no credentials for [" + place.name() + "]: " + CONNECTION_FILE + " cannot be read", e);
    }
  }

  BlobContainerClient client() {
    return current;
  }

  /// A blob's URL as the source of a copy. Unlike an account's key, a shared access signature only
  /// speaks for the URL that it is part of.
  String asSource(String url) {
    return signature.isEmpty() ? url : url + "?" + signature;
  }

  /// Empty where there is none.
  private static String signature(String connection, @Nullable String endpoint) {
    int query = endpoint == null ? -1 : endpoint.indexOf('?');
    if (endpoint != null && query >= 0) {
      return endpoint.substring(query + 1);
    }
    for (String part : connection.split(";")) {
      if (part.startsWith(SIGNATURE)) {
        String signature = part.substring(SIGNATURE.length());
        return signature.startsWith("?") ? signature.substring(1) : signature;
      }
    }
    return "";
  }

  private BlobContainerClient client(String by) throws StoreException {
    BlobServiceClientBuilder builder =
        new BlobServiceClientBuilder()
            .httpClient(http)
            .retryOptions(
                new RequestRetryOptions(
                    RetryPolicyType.FIXED, 1, TIME_MAX, (Duration) null, null, null));
    try {
      builder = by.isEmpty() ? builder : builder.connectionString(by);
      builder = endpoint == null ? builder : builder.endpoint(endpoint);
      return builder.buildClient().getBlobContainerClient(place.bucket());
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new StoreException.Denied(
          "cannot open the store [" + place.name() + "]: " + e.getMessage(), e);
    }
  }

  /// A request was refused: the file may have other credentials by now.
  synchronized void refused(StoreFailure failure) {
    long now = clock.nanoTime();
    boolean isOfCredentials = failure == StoreFailure.CREDENTIALS || failure == StoreFailure.DENIED;
    if (file == null || !isOfCredentials || now - reloadedNanos < RELOAD_EVERY.toNanos()) {
      return;
    }
    reloadedNanos = now;
    try {
      String read = read(place, file);
      if (!read.isEmpty() && !read.equals(connection)) { // empty: it is just being written
        current = client(read);
        signature = signature(read, endpoint);
        connection = read;
        LOG.info("credentials were refused and are read anew [file={}]", file);
      }
    } catch (StoreException e) {
      LOG.warn("credentials were refused and cannot be read anew [file={}]", file, e);
    }
  }
}
