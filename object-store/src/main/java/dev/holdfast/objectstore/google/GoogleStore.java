package dev.holdfast.objectstore.google;

import com.google.api.gax.paging.Page;
import com.google.api.gax.retrying.RetrySettings;
import com.google.cloud.NoCredentials;
import com.google.cloud.ReadChannel;
import com.google.cloud.http.HttpTransportOptions;
import com.google.cloud.storage.Blob;
import com.google.cloud.storage.BlobId;
import com.google.cloud.storage.BlobInfo;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.Storage.BlobField;
import com.google.cloud.storage.Storage.BlobListOption;
import com.google.cloud.storage.Storage.BlobTargetOption;
import com.google.cloud.storage.Storage.BlobWriteOption;
import com.google.cloud.storage.Storage.CopyRequest;
import com.google.cloud.storage.StorageBatch;
import com.google.cloud.storage.StorageBatchResult;
import com.google.cloud.storage.StorageClass;
import com.google.cloud.storage.StorageException;
import com.google.cloud.storage.StorageOptions;
import dev.holdfast.objectstore.BucketPrefix;
import dev.holdfast.objectstore.Keys;
import dev.holdfast.objectstore.Nonce;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.Parts;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.Ids;
import dev.holdfast.world.World;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A store in a bucket of Google Cloud Storage. The version of an object is its generation, which
/// no other write has.
public final class GoogleStore implements ObjectStore {
  private static final Logger LOG = LoggerFactory.getLogger(GoogleStore.class);
  private static final String NONCE = "holdfast-nonce";
  private static final int CONNECT_MILLIS_MAX = 3_000;
  private static final int SILENCE_MILLIS_MAX = 20_000;
  private static final Duration TIME_MAX = Duration.ofMinutes(2);
  private static final int KEYS_PER_PAGE = 1000;
  private static final int KEYS_PER_BATCH = 100;
  private static final int READS_MAX = 20;

  private final Storage client;
  private final BucketPrefix place;
  private final Ids ids;

  private GoogleStore(Storage client, BucketPrefix place, Ids ids) {
    this.client = client;
    this.place = place;
    this.ids = ids;
  }

  /// Credentials come from where Google's tools look for them; with an endpoint (an emulator) there
  /// are none.
  public static GoogleStore open(BucketPrefix place, SortedMap<String, String> options, World world)
      throws StoreException {
    StorageOptions.Builder builder =
        StorageOptions.http()
            .setTransportOptions(
                HttpTransportOptions.newBuilder()
                    .setConnectTimeout(CONNECT_MILLIS_MAX)
                    .setReadTimeout(SILENCE_MILLIS_MAX)
                    .build())
            .setRetrySettings(
                RetrySettings.newBuilder()
                    .setMaxAttempts(1)
                    .setTotalTimeoutDuration(TIME_MAX)
                    .build());
    String endpoint = options.get("store.gcs.endpoint");
    if (endpoint != null) {
      builder
          .setHost(endpoint)
          .setProjectId("emulator")
          .setCredentials(NoCredentials.getInstance());
    }
    try {
      return new GoogleStore(builder.build().getService(), place, world.ids());
    } catch (IllegalArgumentException | StorageException e) {
      throw new StoreException.Denied(
          "cannot open the store [" + place.name() + "]: " + e.getMessage(), e);
    }
  }

  @Override
  public String name() {
    return place.name();
  }

  @Override
  public Version put(String key, ObjectBody body) throws StoreException {
    return GoogleFailures.writing(place, key, () -> write(key, body, null, Map.of()));
  }

  @Override
  public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
    Version version = writeIf(key, body, 0, Map.of());
    return version == null ? new Creation.AlreadyExists() : new Creation.Created(version);
  }

  @Override
  public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes)
      throws StoreException {
    if (Version.UNKNOWN.equals(expected)) {
      return new Swap.Conflict();
    }
    long generation = expected == null ? 0 : Long.parseLong(Nonce.providers(expected));
    String nonce = ids.uuid();
    try {
      Version version = writeIf(key, ObjectBody.of(bytes), generation, Map.of(NONCE, nonce));
      return version == null ? new Swap.Conflict() : new Swap.Swapped(version);
    } catch (StoreException.Unavailable e) {
      throw e.ofAttempt(nonce);
    }
  }

  /// Null when the object's generation is another; 0 is that of no object.
  private @Nullable Version writeIf(
      String key, ObjectBody body, long generation, Map<String, String> metadata)
      throws StoreException {
    return GoogleFailures.<@Nullable Version>writing(
        place,
        key,
        () -> {
          try {
            return write(key, body, generation, metadata);
          } catch (StorageException e) {
            if (e.getCode() == 412) {
              return null;
            }
            throw e;
          }
        });
  }

  private Version write(
      String key, ObjectBody body, @Nullable Long generation, Map<String, String> metadata)
      throws IOException {
    BlobInfo info =
        BlobInfo.newBuilder(id(key))
            .setContentType("application/octet-stream")
            .setMetadata(metadata)
            .build();
    try (InputStream in = body.open()) {
      Blob written;
      if (Parts.isCut(body.length())) {
        BlobWriteOption[] options =
            generation == null
                ? new BlobWriteOption[0]
                : new BlobWriteOption[] {BlobWriteOption.generationMatch(generation)};
        written = client.createFrom(info, in, Parts.PART_BYTES, options);
      } else {
        BlobTargetOption[] options =
            generation == null
                ? new BlobTargetOption[0]
                : new BlobTargetOption[] {BlobTargetOption.generationMatch(generation)};
        written = client.create(info, in.readAllBytes(), options);
      }
      return Nonce.version(written.getGeneration().toString(), metadata.get(NONCE));
    }
  }

  /// The client tells the generation with the metadata only, so this is two requests; the second
  /// one is for that very generation, and both again when another has taken its place.
  @Override
  public Optional<StoredObject> get(String key) throws StoreException {
    for (int reads = 1; reads <= READS_MAX; reads++) {
      Blob blob = blob(key);
      if (blob == null) {
        return Optional.empty();
      }
      try {
        byte[] bytes =
            GoogleFailures.reading(place, key, () -> client.readAllBytes(blob.getBlobId()));
        Map<String, @Nullable String> metadata = blob.getMetadata();
        String nonce = metadata == null ? null : metadata.get(NONCE);
        return Optional.of(
            new StoredObject(bytes, Nonce.version(blob.getGeneration().toString(), nonce)));
      } catch (StoreException.NotFound e) {
        LOG.debug("object replaced while it was read [key={}]", key);
      }
    }
    throw new StoreException.Unavailable("object changes too fast to be read [" + key + "]", null);
  }

  private @Nullable Blob blob(String key) throws StoreException {
    return GoogleFailures.<@Nullable Blob>reading(place, key, () -> client.get(id(key)));
  }

  private long length(String key) throws StoreException {
    Blob blob = blob(key);
    if (blob == null) {
      throw new StoreException.NotFound(key);
    }
    return blob.getSize();
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    byte[] bytes = length == 0 ? new byte[0] : range(id(key), key, offset, length);
    if (bytes.length == 0 || bytes.length < length) {
      long left = length(key) - offset;
      if (left < 0) {
        throw new StoreException.NotFound(key + " at " + offset);
      }
      requireAll(key, bytes, Math.min(length, left));
    }
    return bytes;
  }

  /// Fewer, although the object goes on, would be taken for damage.
  private static void requireAll(String key, byte[] bytes, long wanted)
      throws StoreException.Unavailable {
    if (bytes.length < wanted) {
      throw new StoreException.Unavailable(
          "answer cut off after " + bytes.length + " of " + wanted + " bytes [" + key + "]", null);
    }
  }

  private byte[] range(BlobId id, String key, long offset, int length) throws StoreException {
    return GoogleFailures.reading(
        place,
        key,
        () -> {
          ByteBuffer bytes = ByteBuffer.allocate(length);
          try (ReadChannel channel = client.reader(id)) {
            channel.setChunkSize(0); // no buffer between
            channel.seek(offset);
            channel.limit(offset + length);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
          }
          return bytes.hasRemaining()
              ? Arrays.copyOf(bytes.array(), bytes.position())
              : bytes.array();
        });
  }

  /// Two requests: the client can ask for the last bytes, but does not tell the whole length then.
  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    for (int reads = 1; reads <= READS_MAX; reads++) {
      Blob blob = blob(key);
      if (blob == null) {
        throw new StoreException.NotFound(key);
      }
      long whole = blob.getSize();
      int wanted = (int) Math.min(length, whole);
      try {
        byte[] bytes =
            wanted == 0 ? new byte[0] : range(blob.getBlobId(), key, whole - wanted, wanted);
        requireAll(key, bytes, wanted);
        return new Suffix(bytes, whole);
      } catch (StoreException.NotFound e) {
        LOG.debug("object replaced while it was read [key={}]", key);
      }
    }
    throw new StoreException.Unavailable("object changes too fast to be read [" + key + "]", null);
  }

  @Override
  public List<Listed> list(String prefix, String after, int max) throws StoreException {
    List<Listed> listed = new ArrayList<>();
    Page<Blob> page =
        GoogleFailures.writing(
            place,
            prefix,
            () ->
                client.list(
                    place.bucket(),
                    BlobListOption.prefix(place.fullPrefix(prefix)),
                    BlobListOption.startOffset(place.fullPrefix(after)),
                    // One more, because the offset itself is answered too.
                    BlobListOption.pageSize(Math.min(KEYS_PER_PAGE, max + 1L)),
                    BlobListOption.fields(
                        BlobField.NAME,
                        BlobField.SIZE,
                        BlobField.UPDATED,
                        BlobField.STORAGE_CLASS)));
    while (true) {
      for (Blob blob : page.getValues()) {
        String key = place.key(blob.getName());
        if (listed.size() < max && key.compareTo(after) > 0 && Keys.isKey(key)) {
          long modified = blob.getUpdateTimeOffsetDateTime().toInstant().toEpochMilli();
          listed.add(new Listed(key, blob.getSize(), modified, storageClass(blob)));
        }
      }
      if (listed.size() >= max || !page.hasNextPage()) {
        return listed;
      }
      page = GoogleFailures.writing(place, prefix, page::getNextPage);
    }
  }

  @Override
  public void copy(String from, String to) throws StoreException {
    GoogleFailures.reading(
        place, from, () -> client.copy(CopyRequest.of(id(from), id(to))).getResult());
  }

  private static String storageClass(Blob blob) {
    StorageClass of = blob.getStorageClass();
    return of == null ? "" : of.toString();
  }

  /// A rewrite onto itself, within the store.
  @Override
  public void changeClass(String key, String storageClass) throws StoreException {
    BlobInfo target =
        BlobInfo.newBuilder(id(key))
            .setContentType("application/octet-stream")
            .setStorageClass(StorageClass.valueOf(storageClass))
            .build();
    CopyRequest request = CopyRequest.newBuilder().setSource(id(key)).setTarget(target).build();
    GoogleFailures.reading(place, key, () -> client.copy(request).getResult());
  }

  @Override
  public void deleteAll(Collection<String> keys) throws StoreException {
    List<String> all = List.copyOf(keys);
    for (int begin = 0; begin < all.size(); begin += KEYS_PER_BATCH) {
      List<String> some = all.subList(begin, Math.min(all.size(), begin + KEYS_PER_BATCH));
      GoogleFailures.writing(place, some.getFirst(), () -> deleteSome(some));
    }
  }

  private int deleteSome(List<String> keys) {
    StorageBatch batch = client.batch();
    List<StorageBatchResult<Boolean>> results = new ArrayList<>();
    for (String key : keys) {
      results.add(batch.delete(id(key)));
    }
    batch.submit();
    results.forEach(StorageBatchResult::get); // throws what refused it
    return keys.size();
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (Exception e) {
      throw new IllegalStateException("cannot close the client of " + place.name(), e);
    }
  }

  private BlobId id(String key) {
    return BlobId.of(place.bucket(), place.full(key));
  }
}
