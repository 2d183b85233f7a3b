package dev.holdfast.api.document;

import dev.holdfast.api.indices.IndexCreation;
import dev.holdfast.api.indices.lifecycle.WriteLoads;
import dev.holdfast.api.indices.resolve.ClusterBlocks;
import dev.holdfast.api.indices.resolve.DateMathNames;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.NewIndexName;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.indices.template.StreamTemplate;
import dev.holdfast.api.ingest.IngestDraft;
import dev.holdfast.api.ingest.IngestPipelines;
import dev.holdfast.api.script.StoredScripts;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.document.Routing;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Sends writes to the indexing shards they belong to: what `_bulk` and the APIs for single
/// documents share.
public final class WriteRequests {
  private static final int ID_BYTES_MAX = 512;

  /// Of a large bulk, what a shard is given at once: less than a node of the smallest heap admits.
  private static final long PART_BYTES_MAX = 16 << 20;

  private final World world;
  private final Metadata metadata;
  private final IndexingShards shards;
  private final IndexCreation creation;
  private final IngestPipelines ingest;
  private final SeriesWrites series;

  public WriteRequests(
      World world,
      Metadata metadata,
      IndexingShards shards,
      IndexCreation creation,
      IngestPipelines ingest) {
    this.world = world;
    this.metadata = metadata;
    this.shards = shards;
    this.creation = creation;
    this.ingest = ingest;
    this.series = new SeriesWrites(metadata, creation.mappings());
  }

  /// When writes become searchable, as the `refresh` parameter says.
  public enum Refresh {
    NO,
    NOW,
    WAIT;

    /// @throws Refusal for any value but true, false, wait_for and nothing
    public static Refresh of(ApiRequest request) {
      return switch (request.text("refresh", "false")) {
        case "", "true" -> NOW;
        case "false" -> NO;
        case "wait_for" -> WAIT;
        default ->
            throw Refusal.badArgument(
                "Unknown value for refresh: [" + request.text("refresh") + "].");
      };
    }
  }

  /// Refuses what [#index] would refuse, without creating anything.
  public void requireMayWrite(String name, boolean requiresAlias) {
    requireAlias(name, requiresAlias);
    if (!isKnown(name)) {
      creation.requireMayAutoCreate(name);
    }
  }

  /// As [#index(String, boolean, boolean)], and refuses what the data stream behind the name does
  /// not take.
  ///
  /// @param routing that the request gives the document; null for none
  public IndexMetadata index(
      String name,
      boolean mayCreate,
      boolean requiresAlias,
      WriteOperation.Kind kind,
      WriteOperation.Condition condition,
      @Nullable String routing)
      throws InterruptedException {
    IndexMetadata index = index(name, mayCreate, requiresAlias);
    String plain = DateMathNames.resolve(name, world.clock().epochMillis());
    DataStream stream = DataStreams.owning(metadata.current(), index.id().name());
    StreamWrites.require(stream, plain, index, kind, condition, routing);
    return index;
  }

  /// Where a document goes, and its id there.
  ///
  /// @param name that the write is sent to
  /// @param index that the name leads to
  /// @param templates the dynamic templates that new fields must take, by their paths
  /// @throws Refusal for a document or an id that its index does not take
  public NamedDocument named(
      String name,
      IndexMetadata index,
      WriteOperation.Kind kind,
      IngestDraft draft,
      Map<String, String> templates) {
    return TimeSeries.is(index.settings())
        ? series.named(
            DateMathNames.resolve(name, world.clock().epochMillis()), index, kind, draft, templates)
        : NamedDocument.of(index, draft.id(), world.ids());
  }

  /// The streams of indices, for the items of one request.
  IndexOwners owners() {
    return new IndexOwners(metadata, world.clock());
  }

  /// The index a write means; created when it does not exist and the write may create it.
  ///
  /// @param mayCreate false for deletes and updates without an upsert of a missing index
  public IndexMetadata index(String name, boolean mayCreate, boolean requiresAlias)
      throws InterruptedException {
    ClusterBlocks.requireNone(metadata.current());
    NewIndexName named = NewIndexName.of(name, world.clock().epochMillis());
    String plain = named.name();
    requireAlias(plain, requiresAlias);
    DataStream stream = DataStreams.written(metadata.current(), plain);
    if (stream != null && stream.rollsOverOnWrite(Component.DATA)) {
      var _ = creation.streams().rollOver(stream, Component.DATA, writeLoads(stream));
    }
    IndexMetadata index =
        !isKnown(plain) && mayCreate
            ? creation.createIfAbsent(named)
            : SingleIndex.of(metadata.current(), plain, true);
    IndexBlocks.requireWritable(index);
    return index;
  }

  private @Nullable WriteLoads writeLoads(DataStream stream) {
    IndexMetadata index = metadata.current().indices().get(stream.writeIndex());
    try {
      return index == null ? null : ShardFigures.writeLoads(shards, index);
    } catch (IOException | Refusal _) {
      return null; // the number of shards stays as it is
    }
  }

  private void requireAlias(String name, boolean requiresAlias) {
    ClusterState state = metadata.current();
    boolean isItself = state.indices().containsKey(name) || DataStreams.of(state, name) != null;
    if (requiresAlias && (isItself || !isKnown(name))) {
      throw new Refusal(
              ErrorType.INDEX_NOT_FOUND,
              "no such index ["
                  + name
                  + "] and [require_alias] request flag is [true] and ["
                  + name
                  + "] is not an alias")
          .with("index_uuid", "_na_")
          .with("index", name);
    }
  }

  /// Refuses what is no data stream and would not become one.
  ///
  /// @param isRequired `require_data_stream`
  public void requireDataStream(String name, boolean isRequired) {
    if (!isRequired) {
      return;
    }
    ClusterState state = metadata.current();
    String plain = DateMathNames.resolve(name, world.clock().epochMillis());
    if (DataStreams.written(state, plain) != null) {
      return;
    }
    if (isKnown(plain)) {
      throw new Refusal(
          ErrorType.RESOURCE_NOT_FOUND,
          "[require_data_stream] request flag is [true] and [" + name + "] is not a data stream");
    }
    if (StreamTemplate.of(state, plain) == null) {
      throw new Refusal(
              ErrorType.INDEX_NOT_FOUND,
              "no such index ["
                  + name
                  + "] and the index creation request requires a data stream, but no matching index"
                  + " template with data stream template was found for it")
          .with("index_uuid", "_na_")
          .with("index", name);
    }
  }

  private boolean isKnown(String name) {
    return metadata.current().indices().containsKey(name)
        || DataStreams.written(metadata.current(), name) != null
        || metadata.current().indices().values().stream()
            .anyMatch(i -> i.aliases().containsKey(name))
        || !DataStreams.aliased(metadata.current(), name).isEmpty();
  }

  /// @throws Refusal when the id is empty, or longer than Elasticsearch takes
  public static void requireValidId(String id) {
    if (id.isEmpty()) {
      throw Refusal.badArgument("if _id is specified it must not be empty");
    }
    // A UTF-16 unit is at most three bytes of UTF-8: short ids need no encoding to be known as
    // short.
    if (id.length() * 3 > ID_BYTES_MAX) {
      int bytes = id.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > ID_BYTES_MAX) {
        throw new Refusal(
            ErrorType.ACTION_REQUEST_VALIDATION,
            "Validation Failed: 1: id ["
                + id
                + "] is too long, must be no longer than "
                + ID_BYTES_MAX
                + " bytes but was: "
                + bytes
                + ";");
      }
    }
  }

  /// Writes to their shards, all shards at once.
  ///
  /// @param byShard positions say where each result belongs
  /// @param results filled in: `results[operation.position()]`
  public void write(Map<ShardId, List<WriteOperation>> byShard, WriteResult[] results)
      throws IOException, InterruptedException {
    if (byShard.size() == 1) {
      Map.Entry<ShardId, List<WriteOperation>> only = byShard.entrySet().iterator().next();
      writeShard(only.getKey(), only.getValue(), results);
      return;
    }
    List<Callable<Boolean>> pieces = new ArrayList<>(byShard.size());
    byShard.forEach((shard, operations) ->
        pieces.add(() -> {
          writeShard(shard, operations, results);
          return true;
        }));
    try {
      List<Boolean> _ = FanOut.of(world, "write-shard").all(pieces);
    } catch (ExecutionException | TimeoutException e) {
      throw e.getCause() instanceof IOException io
          ? io
          : new IOException("write failed", e.getCause());
    }
  }

  private void writeShard(ShardId shard, List<WriteOperation> operations, WriteResult[] results)
      throws IOException, InterruptedException {
    for (List<WriteOperation> part : WriteParts.of(operations, PART_BYTES_MAX)) {
      try {
        List<WriteResult> done = shards.write(shard, part);
        for (int i = 0; i < part.size(); i++) {
          results[part.get(i).position()] = done.get(i);
        }
      } catch (Refusal e) {
        for (WriteOperation operation : part) {
          results[operation.position()] = new WriteResult.Refused(operation.id(), e);
        }
      }
    }
  }

  /// Writes one document.
  public WriteResult.Done writeOne(IndexMetadata index, WriteOperation operation)
      throws IOException, InterruptedException {
    WriteResult[] results = new WriteResult[1];
    Map<ShardId, List<WriteOperation>> byShard = new LinkedHashMap<>();
    byShard.put(shard(index, operation), List.of(operation));
    write(byShard, results);
    return switch (results[0]) {
      case WriteResult.Done done -> done;
      case WriteResult.Refused refused ->
          throw located(refused.refusal(), index, shard(index, operation));
    };
  }

  /// As [CurrentDocument#of].
  RealTimeDocument current(IndexMetadata index, WriteOperation write) throws IOException {
    return CurrentDocument.of(metadata, shards, index, write.id(), write.routing());
  }

  /// The shard an operation belongs to.
  ///
  /// @throws Refusal `routing_missing_exception`
  public static ShardId shard(IndexMetadata index, WriteOperation operation) {
    if (operation.routing() == null
        && index.mapping().path("_routing").path("required").asBoolean(false)) {
      throw routingMissing(index, operation.id());
    }
    if (operation.kind() == WriteOperation.Kind.UPDATE && TimeSeries.is(index.settings())) {
      throw SeriesWrites.unsupported(index, "update");
    }
    return new ShardId(
        index.id(),
        Routing.shard(operation.id(), operation.routing(), index.layout(), index.settings()));
  }

  static Refusal routingMissing(IndexMetadata index, String id) {
    return new Refusal(
            ErrorType.ROUTING_MISSING,
            "routing is required for [" + index.id().name() + "]/[" + id + "]")
        .with("index_uuid", index.id().uuid())
        .with("index", index.id().name());
  }

  /// A refusal of a document with the members that say where: version conflicts and missing
  /// documents carry them.
  public static Refusal located(Refusal refusal, IndexMetadata index, ShardId shard) {
    boolean isLocated =
        switch (refusal.type()) {
          case VERSION_CONFLICT, DOCUMENT_MISSING -> !refusal.metadata().containsKey("index");
          default -> false;
        };
    return isLocated
        ? refusal
            .with("index_uuid", index.id().uuid())
            .with("shard", Integer.toString(shard.number()))
            .with("index", index.id().name())
        : refusal;
  }

  /// Makes the shards written to searchable as asked.
  public void refresh(Refresh refresh, Iterable<ShardId> written)
      throws IOException, InterruptedException {
    new WrittenShards(world, shards).refresh(refresh, written);
  }

  /// Keeps documents that streams could not take.
  public FailureStoreWrites failures() {
    return new FailureStoreWrites(this, metadata, creation);
  }

  /// Copies that the `_shards` section of an answer counts.
  static int copies(IndexMetadata index) {
    return 1 + Integer.parseInt(index.setting("index.number_of_replicas", "1"));
  }

  /// The pipelines that documents go through first. An update with the script itself where it names
  /// a stored one.
  ///
  /// @throws Refusal 404 when there is no script of that id
  public IngestDraft inlined(IngestDraft update) {
    byte[] changed =
        StoredScripts.inline(update.bytes(), update.offset(), update.length(), metadata.current());
    return changed == null ? update : update.withBody(changed);
  }

  public IngestPipelines ingest() {
    return ingest;
  }

  public World world() {
    return world;
  }

  static List<String> parameters(String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "refresh",
                "routing",
                "timeout",
                "wait_for_active_shards",
                "require_alias",
                "pipeline"));
    all.addAll(Arrays.asList(more));
    return all;
  }
}
