package dev.holdfast.api.indices.downsample;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.document.NamedDocument;
import dev.holdfast.api.document.WriteRequests;
import dev.holdfast.api.indices.IndexCreation;
import dev.holdfast.api.indices.resolve.BackingIndices;
import dev.holdfast.api.indices.resolve.CopiedSource;
import dev.holdfast.api.ingest.IngestDraft;
import dev.holdfast.api.search.Scrolls;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.indexing.operation.WriteOperation.Kind;
import dev.holdfast.indexing.operation.WriteResult;
import dev.holdfast.query.result.Hit;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Makes an index of coarser times: reads the documents of another in the order in which they lie,
/// series by series and newest first, and writes one for each series and interval.
public final class Downsampling {
  static final String INTERVAL = "index.downsample.interval";
  static final String METHOD = "index.downsample.sampling_method";
  static final String STATUS = "index.downsample.status";
  static final String SOURCE_NAME = "index.downsample.source.name";
  static final String SOURCE_UUID = "index.downsample.source.uuid";
  private static final String ORIGIN_NAME = "index.downsample.origin.name";
  private static final String ORIGIN_UUID = "index.downsample.origin.uuid";
  private static final String WRITE_BLOCK = "index.blocks.write";

  /// Settings that are of one index alone, and what says how it may be used.
  private static final List<String> OWN =
      List.of(
          "index.uuid",
          "index.creation_date",
          "index.provided_name",
          "index.version.created",
          "index.lifecycle.name",
          "index.default_pipeline",
          "index.final_pipeline",
          WRITE_BLOCK,
          "index.blocks.read_only",
          "index.blocks.read_only_allow_delete",
          "index.blocks.metadata",
          INTERVAL,
          METHOD);

  private final Metadata metadata;
  private final IndexCreation creation;
  private final Scrolls scrolls;
  private final WriteRequests writes;
  private final IndexingShards shards;

  public Downsampling(
      Metadata metadata,
      IndexCreation creation,
      Scrolls scrolls,
      WriteRequests writes,
      IndexingShards shards) {
    this.metadata = metadata;
    this.creation = creation;
    this.scrolls = scrolls;
    this.writes = writes;
    this.shards = shards;
  }

  /// Whether an index is the finished result of downsampling another so.
  public static boolean isMadeOf(IndexMetadata index, IndexMetadata source, DownsampleConfig as) {
    return index.setting(SOURCE_UUID, "").equals(source.id().uuid())
        && as.equals(of(index))
        && index.setting(STATUS, "").equals("success");
  }

  /// A state without what lifecycles have made of an index, or begun to make, that is not what they
  /// want now: an attempt died with its process, or they want another interval since.
  public static ClusterState withoutOutdated(
      ClusterState state, IndexMetadata source, DownsampleConfig wanted) {
    ClusterState left = state;
    for (IndexMetadata index : state.indices().values()) {
      if (isOutdated(state, index, source, wanted)) {
        left = BackingIndices.without(left, index);
      }
    }
    return left;
  }

  /// Whether there is any.
  public static boolean hasOutdated(
      ClusterState state, IndexMetadata source, DownsampleConfig wanted) {
    return state.indices().values().stream()
        .anyMatch(index -> isOutdated(state, index, source, wanted));
  }

  private static boolean isOutdated(
      ClusterState state, IndexMetadata index, IndexMetadata source, DownsampleConfig wanted) {
    DownsampleConfig made = of(index);
    return made != null
        && DataStreams.owning(state, index.id().name()) == null
        && index.setting(SOURCE_UUID, "").equals(source.id().uuid())
        && index.id().name().equals(targetName(source, made))
        && !isMadeOf(index, source, wanted);
  }

  /// What the index is called that an index is downsampled to: after the one that its data came
  /// from first.
  public static String targetName(IndexMetadata source, DownsampleConfig config) {
    DownsampleConfig before = of(source);
    String prefix = before == null ? "" : "downsample-" + before.text() + "-";
    String name = source.id().name();
    String origin = name.startsWith(prefix) ? name.substring(prefix.length()) : name;
    return "downsample-" + config.text() + "-" + origin;
  }

  /// How an index was downsampled; null when it was not.
  public static @Nullable DownsampleConfig of(IndexMetadata index) {
    String interval = index.setting(INTERVAL, "");
    if (interval.isEmpty()) {
      return null;
    }
    ObjectNode json = Json.object().put("fixed_interval", interval);
    json.put("sampling_method", index.setting(METHOD, "aggregate"));
    return DownsampleConfig.read(JsonObject.of("downsample", json));
  }

  /// @param target its name
  /// @return the index that was made
  /// @throws Refusal for a source that cannot be downsampled, or a name in use; then, and when the
  ///   work fails or is cancelled, there is no new index
  public IndexMetadata run(
      IndexMetadata source, String target, DownsampleConfig config, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    require(source, config);
    MetricFields metrics = new MetricFields(source.mapping(), config);
    IndexMetadata made =
        creation.createAs(
            target,
            settings(source, config),
            metrics.mapping(),
            Json.object(),
            (_, index) -> CopiedSource.noted(index, source));
    boolean isDone = false;
    try {
      long withBlock = metadata.current().version();
      for (int number = 0; number < source.shards(); number++) {
        shards.refresh(new ShardId(source.id(), number), withBlock);
      }
      for (int number = 0; number < source.shards(); number++) {
        copy(source, number, made, config, metrics, isCancelled);
      }
      for (int number = 0; number < made.shards(); number++) {
        ShardId shard = new ShardId(made.id(), number);
        shards.refresh(shard);
        shards.forceMerge(shard, 1, false);
        shards.flush(shard);
      }
      IndexMetadata finished = finished(made);
      isDone = true;
      return finished;
    } finally {
      if (!isDone) {
        metadata.update(
            "downsample-failed [" + target + "]",
            state -> {
              IndexMetadata left = state.indices().get(target);
              return left != null && left.id().equals(made.id())
                  ? BackingIndices.without(state, left)
                  : state;
            });
      }
    }
  }

  private static void require(IndexMetadata source, DownsampleConfig config) {
    String name = source.id().name();
    if (!TimeSeries.is(source.settings())) {
      throw Refusal.badArgument(
          "Rollup requires setting [index.mode=time_series] for index [" + name + "]");
    }
    if (!source.setting(WRITE_BLOCK, "false").equals("true")
        && !source.setting("index.blocks.read_only", "false").equals("true")) {
      throw Refusal.badArgument(
          "Downsample requires setting [" + WRITE_BLOCK + " = true] for index [" + name + "]");
    }
    DownsampleConfig before = of(source);
    if (before != null) {
      config.requireMultipleOf(before);
    }
  }

  private static SortedMap<String, Object> settings(IndexMetadata source, DownsampleConfig config) {
    SortedMap<String, Object> settings = new TreeMap<>(source.settings());
    settings.keySet().removeAll(OWN);
    settings.put(INTERVAL, config.text());
    if (config.keepsLast()) {
      settings.put(METHOD, "last_value");
    }
    settings.put(STATUS, "started");
    settings.put(SOURCE_NAME, source.id().name());
    settings.put(SOURCE_UUID, source.id().uuid());
    settings.putIfAbsent(ORIGIN_NAME, source.id().name());
    settings.putIfAbsent(ORIGIN_UUID, source.id().uuid());
    return settings;
  }

  /// It is written to no more, as what it was made of.
  private IndexMetadata finished(IndexMetadata made) throws InterruptedException {
    String name = made.id().name();
    var after =
        metadata.update(
            "downsampled [" + name + "]",
            state -> {
              IndexMetadata index = state.indices().get(name);
              if (index == null || !index.id().equals(made.id())) {
                return state;
              }
              SortedMap<String, Object> settings = new TreeMap<>(index.settings());
              settings.put(STATUS, "success");
              settings.put(WRITE_BLOCK, "true");
              return state.withIndex(index.withSettings(settings));
            });
    IndexMetadata index = after.indices().get(name);
    if (index == null || !index.id().equals(made.id())) {
      throw Refusal.indexNotFound(name); // deleted meanwhile
    }
    return index;
  }

  /// A series is whole in its shard, so shards are read one after the other.
  private void copy(
      IndexMetadata source,
      int number,
      IndexMetadata target,
      DownsampleConfig config,
      MetricFields metrics,
      BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    long every = config.interval().toMillis();
    long start = TimeSeries.of(source.settings()).startMillis();
    boolean isNanos =
        source.mapping().at("/properties/@timestamp/type").asText().equals("date_nanos");
    List<byte[]> ready = new ArrayList<>();
    long readyBytes = 0;
    SeriesBucket open = null;
    ShardTarget shard = ShardTarget.of(source, number);
    try (SeriesPages pages = new SeriesPages(scrolls, shard, isCancelled)) {
      for (List<Hit> hits = pages.next(); !hits.isEmpty(); hits = pages.next()) {
        for (Hit hit : hits) {
          String series = String.valueOf(hit.sort().getFirst());
          long time = Long.parseLong(String.valueOf(hit.sort().getLast()));
          long millis = isNanos ? Math.floorDiv(time, 1_000_000L) : time;
          // The first interval begins where the index does.
          long coarse = Math.max(start, Math.floorDiv(millis, every) * every);
          if (open == null || !open.holds(series, coarse)) {
            if (open != null) {
              byte[] finished = open.bytes();
              ready.add(finished);
              readyBytes += finished.length;
            }
            open = new SeriesBucket(metrics, series, coarse);
          }
          open.add((ObjectNode) Json.parse(Objects.requireNonNull(hit.source())));
          if (ready.size() >= PageSize.DOCUMENTS_MAX || readyBytes >= PageSize.BYTES) {
            write(target, ready);
            ready.clear();
            readyBytes = 0;
          }
        }
      }
    }
    if (open != null) {
      ready.add(open.bytes());
    }
    if (!ready.isEmpty()) {
      write(target, ready);
    }
  }

  private void write(IndexMetadata target, List<byte[]> documents)
      throws IOException, InterruptedException {
    Map<ShardId, List<WriteOperation>> byShard = new LinkedHashMap<>();
    WriteResult[] results = new WriteResult[documents.size()];
    String name = target.id().name();
    for (int i = 0; i < results.length; i++) {
      byte[] bytes = documents.get(i);
      IngestDraft draft = IngestDraft.of(name, null, null, Condition.NONE, bytes, 0, bytes.length);
      NamedDocument at = writes.named(name, target, Kind.INDEX, draft, Map.of());
      WriteOperation operation =
          new WriteOperation(
              i, Kind.INDEX, at.id(), false, null, bytes, 0, bytes.length, Condition.NONE, 0);
      byShard
          .computeIfAbsent(WriteRequests.shard(target, operation), _ -> new ArrayList<>())
          .add(operation);
    }
    writes.write(byShard, results);
    for (WriteResult result : results) {
      if (result instanceof WriteResult.Refused refused) {
        throw refused.refusal();
      }
    }
  }
}
