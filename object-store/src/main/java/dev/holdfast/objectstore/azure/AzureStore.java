package dev.holdfast.objectstore.azure;

import com.azure.core.util.Context;
import com.azure.core.util.polling.LongRunningOperationStatus;
import com.azure.core.util.polling.PollResponse;
import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobCopyInfo;
import com.azure.storage.blob.models.BlobDownloadContentResponse;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.BlockBlobItem;
import com.azure.storage.blob.models.DownloadRetryOptions;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.options.BlockBlobCommitBlockListOptions;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import com.azure.storage.blob.specialized.BlockBlobClient;
import dev.holdfast.objectstore.BucketPrefix;
import dev.holdfast.objectstore.InParallel;
import dev.holdfast.objectstore.Keys;
import dev.holdfast.objectstore.Nonce;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.Parts;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.objectstore.StoreRequest;
import dev.holdfast.objectstore.TryTime;
import dev.holdfast.world.World;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// A store in a container of Azure Blob Storage. The version of an object is its ETag, which no
/// other write has.
public final class AzureStore implements ObjectStore {
  private static final String NONCE = "holdfastnonce"; // names of metadata are C# identifiers
  private static final Duration TIME_MAX = AzureContainer.TIME_MAX;

  /// What the slowest link that is of use carries.
  private static final long BYTES_PER_SECOND_MIN = 1 << 20;

  private static final int KEYS_PER_PAGE = 1000;
  private static final int DELETES_AT_ONCE = 16;
  private static final int READS_MAX = 20;

  private final AzureContainer container;
  private final BucketPrefix place;
  private final World world;

  private AzureStore(AzureContainer container, BucketPrefix place, World world) {
    this.container = container;
    this.place = place;
    this.world = world;
  }

  /// As [AzureContainer] says.
  public static AzureStore open(BucketPrefix place, SortedMap<String, String> options, World world)
      throws StoreException {
    return new AzureStore(AzureContainer.open(place, options, world.clock()), place, world);
  }

  @Override
  public String name() {
    return place.name();
  }

  @Override
  public Version put(String key, ObjectBody body) throws StoreException {
    return sorted(key, () -> write(key, body, new BlobRequestConditions(), Map.of()));
  }

  @Override
  public Creation putIfAbsent(String key, ObjectBody body) throws StoreException {
    Version version = writeIf(key, body, null, Map.of());
    return version == null ? new Creation.AlreadyExists() : new Creation.Created(version);
  }

  @Override
  public Swap compareAndSet(String key, @Nullable Version expected, byte[] bytes)
      throws StoreException {
    if (Version.UNKNOWN.equals(expected)) {
      return new Swap.Conflict();
    }
    String nonce = world.ids().uuid();
    try {
      Version version = writeIf(key, ObjectBody.of(bytes), expected, Map.of(NONCE, nonce));
      return version == null ? new Swap.Conflict() : new Swap.Swapped(version);
    } catch (StoreException.Unavailable e) {
      throw e.ofAttempt(nonce);
    }
  }

  /// Null when the object has another version.
  private @Nullable Version writeIf(
      String key, ObjectBody body, @Nullable Version expected, Map<String, String> metadata)
      throws StoreException {
    BlobRequestConditions conditions =
        expected == null
            ? new BlobRequestConditions().setIfNoneMatch("*")
            : new BlobRequestConditions().setIfMatch('"' + Nonce.providers(expected) + '"');
    return this.<@Nullable Version>sorted(
        key,
        () -> {
          try {
            return write(key, body, conditions, metadata);
          } catch (BlobStorageException e) {
            // Azure says "conflict" (409) where others say "precondition failed".
            if (e.getStatusCode() == 412
                || BlobErrorCode.BLOB_ALREADY_EXISTS.equals(e.getErrorCode())
                || BlobErrorCode.BLOB_NOT_FOUND.equals(e.getErrorCode())) {
              return null;
            }
            throw e;
          }
        });
  }

  private Version write(
      String key, ObjectBody body, BlobRequestConditions conditions, Map<String, String> metadata)
      throws IOException {
    BlockBlobClient blob = blob(key);
    try (InputStream in = body.open()) {
      BlockBlobItem written =
          Parts.isCut(body.length())
              ? blob.commitBlockListWithResponse(
                      new BlockBlobCommitBlockListOptions(blocks(blob, in, body.length()))
                          .setRequestConditions(conditions),
                      TIME_MAX,
                      Context.NONE)
                  .getValue()
              : blob.uploadWithResponse(
                      new BlockBlobSimpleUploadOptions(
                              new ByteArrayInputStream(in.readAllBytes()), body.length())
                          .setMetadata(metadata)
                          .setRequestConditions(conditions),
                      TryTime.atMost(TIME_MAX).plusSeconds(body.length() / BYTES_PER_SECOND_MIN),
                      Context.NONE)
                  .getValue();
      return Nonce.version(unquoted(key, written.getETag()), metadata.get(NONCE));
    }
  }

  /// Sends the blocks and names them; blocks that no list commits go after a week.
  private List<String> blocks(BlockBlobClient blob, InputStream in, long length)
      throws IOException {
    // Racing writers of one object must not take each other's blocks for theirs.
    String upload = world.ids().uuid();
    int blockBytes = Parts.partBytes(length);
    List<String> blocks = new ArrayList<>();
    for (byte[] bytes = in.readNBytes(blockBytes);
        bytes.length > 0;
        bytes = in.readNBytes(blockBytes)) {
      String name = upload + String.format(java.util.Locale.ROOT, "%05d", blocks.size());
      String block = Base64.getEncoder().encodeToString(name.getBytes(StandardCharsets.US_ASCII));
      blob.stageBlockWithResponse(
          block, new ByteArrayInputStream(bytes), bytes.length, null, null, TIME_MAX, Context.NONE);
      blocks.add(block);
    }
    return blocks;
  }

  @Override
  public Optional<StoredObject> get(String key) throws StoreException {
    try {
      BlobDownloadContentResponse response = sorted(key, () -> download(key, null, null));
      String nonce = response.getDeserializedHeaders().getMetadata().get(NONCE);
      String eTag = unquoted(key, response.getDeserializedHeaders().getETag());
      return Optional.of(
          new StoredObject(response.getValue().toBytes(), Nonce.version(eTag, nonce)));
    } catch (StoreException.NotFound e) {
      return Optional.empty();
    }
  }

  private BlobDownloadContentResponse download(
      String key, @Nullable BlobRange range, @Nullable BlobRequestConditions conditions) {
    return blob(key)
        .downloadContentWithResponse(
            new DownloadRetryOptions().setMaxRetryRequests(0),
            conditions,
            range,
            false,
            range == null ? TryTime.atMost(TIME_MAX) : TIME_MAX,
            Context.NONE);
  }

  /// Null when the server answers `unless` (416: no byte in the range, 412: not that object), or
  /// with an object that has no byte in the range.
  private byte @Nullable [] range(
      String key, BlobRange range, @Nullable BlobRequestConditions conditions, int unless)
      throws StoreException {
    return this.<byte @Nullable []>sorted(
        key,
        () -> {
          try {
            BlobDownloadContentResponse answer = download(key, range, conditions);
            String said = answer.getDeserializedHeaders().getContentRange();
            String _ = unquoted(key, answer.getDeserializedHeaders().getETag());
            return AzureRange.cut(range, answer.getStatusCode(), said, answer.getValue().toBytes());
          } catch (BlobStorageException e) {
            if (e.getStatusCode() == unless) {
              return null;
            }
            throw e;
          }
        });
  }

  private BlobProperties properties(String key) throws StoreException {
    BlobProperties properties =
        sorted(
            key,
            () -> blob(key).getPropertiesWithResponse(null, TIME_MAX, Context.NONE).getValue());
    String _ = unquoted(key, properties.getETag());
    return properties;
  }

  @Override
  public byte[] getRange(String key, long offset, int length) throws StoreException {
    byte[] bytes = length == 0 ? null : range(key, new BlobRange(offset, (long) length), null, 416);
    if (bytes != null) {
      return bytes;
    }
    // At the end or beyond it: the length tells.
    if (properties(key).getBlobSize() < offset) {
      throw new StoreException.NotFound(key + " at " + offset);
    }
    return new byte[0];
  }

  /// Two requests: Azure knows no "last bytes".
  @Override
  public Suffix getSuffix(String key, int length) throws StoreException {
    for (int reads = 1; reads <= READS_MAX; reads++) {
      BlobProperties properties = properties(key);
      long whole = properties.getBlobSize();
      long wanted = Math.min(length, whole);
      if (wanted == 0) {
        return new Suffix(new byte[0], whole);
      }
      BlobRequestConditions sameObject =
          new BlobRequestConditions().setIfMatch('"' + unquoted(key, properties.getETag()) + '"');
      byte[] bytes = range(key, new BlobRange(whole - wanted, wanted), sameObject, 412);
      if (bytes != null) {
        return new Suffix(bytes, whole);
      }
    }
    throw new StoreException.Unavailable("object changes too fast to be read [" + key + "]", null);
  }

  @Override
  public List<Listed> list(String prefix, String after, int max) throws StoreException {
    return sorted(prefix, () -> listed(prefix, after, max));
  }

  private List<Listed> listed(String prefix, String after, int max) {
    ListBlobsOptions options =
        new ListBlobsOptions()
            .setPrefix(place.fullPrefix(prefix))
            .setMaxResultsPerPage((int) Math.min(KEYS_PER_PAGE, max + 1L));
    if (!after.isEmpty()) {
      options.setStartFrom(place.fullPrefix(after));
    }
    List<Listed> listed = new ArrayList<>();
    for (BlobItem item : container.client().listBlobs(options, TIME_MAX)) {
      if (listed.size() == max) {
        break;
      }
      String key = place.key(item.getName());
      if (key.compareTo(after) > 0 && Keys.isKey(key)) {
        listed.add(
            new Listed(
                key,
                item.getProperties().getContentLength(),
                item.getProperties().getLastModified().toInstant().toEpochMilli(),
                tier(item)));
      }
    }
    return listed;
  }

  @Override
  public void copy(String from, String to) throws StoreException {
    sorted(
        from,
        () -> {
          String source = container.asSource(blob(from).getBlobUrl());
          PollResponse<BlobCopyInfo> end =
              blob(to).beginCopy(source, null).waitForCompletion(TIME_MAX);
          if (!end.getStatus().equals(LongRunningOperationStatus.SUCCESSFULLY_COMPLETED)) {
            throw new IOException("the copy ended as " + end.getStatus());
          }
          return end;
        });
  }

  private static String tier(BlobItem item) {
    AccessTier tier = item.getProperties().getAccessTier();
    return tier == null ? "" : tier.toString();
  }

  @Override
  public void changeClass(String key, String storageClass) throws StoreException {
    sorted(
        key,
        () ->
            blob(key)
                .setAccessTierWithResponse(
                    AccessTier.fromString(storageClass), null, null, TIME_MAX, Context.NONE)
                .getStatusCode());
  }

  /// A request each, some at once: Azure's batches need another library.
  @Override
  public void deleteAll(Collection<String> keys) throws StoreException {
    List<String> all = List.copyOf(keys);
    for (int begin = 0; begin < all.size(); begin += DELETES_AT_ONCE) {
      List<StoreRequest<Boolean>> requests = new ArrayList<>();
      for (String key : all.subList(begin, Math.min(all.size(), begin + DELETES_AT_ONCE))) {
        BlockBlobClient blob = blob(key);
        requests.add(() ->
            sorted(
                key,
                () ->
                    blob.deleteIfExistsWithResponse(null, null, TIME_MAX, Context.NONE)
                        .getValue()));
      }
      InParallel.send(world, "delete", requests);
    }
  }

  @Override
  public void close() {
    // The JDK's client has nothing to close.
  }

  private <T extends @Nullable Object> T sorted(String key, AzureFailures.Step<T> step)
      throws StoreException {
    try {
      return AzureFailures.sorted(place, key, step);
    } catch (StoreException.Unavailable e) {
      container.refused(e.failure());
      throw e;
    }
  }

  private BlockBlobClient blob(String key) {
    return container.client().getBlobClient(place.full(key)).getBlockBlobClient();
  }

  /// @param eTag null in what is no answer of the service: the page of a proxy may have the status
  ///   of a success, too
  private String unquoted(String key, @Nullable String eTag) throws StoreException.Unavailable {
    if (eTag == null) {
      throw new StoreException.Unavailable(
          StoreFailure.GATEWAY,
          "request to ["
              + place.name()
              + "] failed [key="
              + key
              + "]: an answer with the status of a success that is not the store's",
          null);
    }
    return eTag.startsWith("\"") ? eTag.substring(1, eTag.length() - 1) : eTag;
  }
}
