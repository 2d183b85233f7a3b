package dev.holdfast.api.indices.stream;

import dev.holdfast.api.indices.StreamCreation;
import dev.holdfast.api.indices.resolve.BackingIndices;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.StreamExpression;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.TimeValue;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.Clock;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lives the lifecycles of data streams, on the node that leads: an index that is old or big enough
/// is followed by the next, one whose documents are older than the retention is deleted. What fails
/// is tried again at the next run, and shown by `/_lifecycle/explain`.
public final class LifecycleRuns {
  private static final Logger LOG = LoggerFactory.getLogger(LifecycleRuns.class);

  /// Names the time between runs, a cluster setting.
  public static final String POLL_INTERVAL = "data_streams.lifecycle.poll_interval";

  private static final Duration POLL_BY_DEFAULT = Duration.ofMinutes(5);

  /// How often a node looks whether a run is due.
  private static final Duration LOOK = Duration.ofSeconds(1);

  private static final long SHARD_DOCUMENTS_MAX = 200_000_000;
  private static final long SHARD_BYTES_MAX = 50L << 30;

  private final Metadata metadata;
  private final StreamCreation streams;
  private final IndexingShards shards;
  private final Clock clock;
  private final String self;
  private final Map<String, String> errors = new ConcurrentHashMap<>();
  private volatile Last last = new Last(0, 0, 0, 0);

  /// @param self this node's ephemeral id
  public LifecycleRuns(
      Metadata metadata, StreamCreation streams, IndexingShards shards, Clock clock, String self) {
    this.metadata = metadata;
    this.streams = streams;
    this.shards = shards;
    this.clock = clock;
    this.self = self;
  }

  /// Figures of the runs of this node.
  ///
  /// @param startNanos of the last one
  record Last(long runs, long startNanos, long tookMillis, long betweenMillis) {}

  /// Looks after the streams from now on.
  public void start(World world) {
    var _ = world.tasks().repeat("stream-lifecycles", LOOK, this::runWhenDue);
  }

  Last last() {
    return last;
  }

  /// Why the last run failed for an index; null when it did not.
  @Nullable String error(String index) {
    return errors.get(index);
  }

  private void runWhenDue() throws InterruptedException {
    if (!metadata.leaderId().equals(self)) {
      return;
    }
    long now = clock.nanoTime();
    long sinceNanos = now - last.startNanos;
    if (last.runs > 0 && sinceNanos < interval().toNanos()) {
      return;
    }
    run();
    long tookMillis = (clock.nanoTime() - now) / 1_000_000;
    last = new Last(last.runs + 1, now, tookMillis, last.runs == 0 ? 0 : sinceNanos / 1_000_000);
  }

  private Duration interval() {
    Object set = metadata.current().setting(POLL_INTERVAL);
    return set == null ? POLL_BY_DEFAULT : TimeValue.parse(POLL_INTERVAL, set.toString());
  }

  /// One look at every stream that has a lifecycle.
  void run() throws InterruptedException {
    for (DataStream stream : DataStreams.all(metadata.current())) {
      if (StreamLifecycles.isEnabled(stream)) {
        look(stream);
      }
    }
  }

  private void look(DataStream stream) throws InterruptedException {
    String written = stream.writeIndex();
    try {
      if (isFull(stream)) {
        IndexMetadata next = streams.rollOver(stream, Component.DATA);
        LOG.info("rolled over [data_stream={}, index={}]", stream.name(), next.id().name());
      }
      deleteOld(stream.name());
      errors.remove(written);
    } catch (IOException | RuntimeException e) {
      errors.put(written, String.valueOf(e.getMessage()));
      LOG.warn("a lifecycle will be tried again [data_stream={}]", stream.name(), e);
    }
  }

  private boolean isFull(DataStream stream) throws IOException {
    IndexMetadata index = metadata.current().indices().get(stream.writeIndex());
    if (index == null || !index.isOpen() || !ManagedIndices.byStream(stream, index)) {
      return false;
    }
    List<ShardFigures> figures = ShardFigures.of(shards, List.of(index));
    if (!figures.stream().allMatch(ShardFigures::isStarted)) {
      return false; // not known now
    }
    long documents = figures.stream().mapToLong(one -> one.counted().documents()).sum();
    long mostDocuments = figures.stream().mapToLong(f -> f.counted().documents()).max().orElse(0);
    long mostBytes = figures.stream().mapToLong(f -> f.counted().storeBytes()).max().orElse(0);
    Duration age =
        Duration.ofMillis(
            clock.epochMillis() - Long.parseLong(index.setting("index.creation_date", "0")));
    return documents >= 1
        && (mostDocuments >= SHARD_DOCUMENTS_MAX
            || mostBytes >= SHARD_BYTES_MAX
            || age.compareTo(ageMax(retention(stream))) >= 0);
  }

  /// When an index is followed by the next, so that deleting whole indices keeps little too long:
  /// Elasticsearch's `max_age: auto`.
  static Duration ageMax(@Nullable Duration retention) {
    if (retention == null || retention.compareTo(Duration.ofDays(90)) > 0) {
      return Duration.ofDays(30);
    }
    if (retention.compareTo(Duration.ofDays(14)) > 0) {
      return Duration.ofDays(7);
    }
    return retention.compareTo(Duration.ofDays(1)) > 0 ? Duration.ofDays(1) : Duration.ofHours(1);
  }

  private static @Nullable Duration retention(DataStream stream) {
    var lifecycle = stream.lifecycle();
    String text = lifecycle == null ? "" : lifecycle.path("data_retention").asText("");
    return text.isEmpty() || text.equals("null") ? null : TimeValue.parse("data_retention", text);
  }

  /// When another index took a stream's writes from this one; 0 while it is written to.
  public static long rolledOverMillis(ClusterState state, DataStream stream, String name) {
    List<String> names = stream.indices();
    int at = names.indexOf(name);
    IndexMetadata next =
        at < 0 || at == names.size() - 1 ? null : state.indices().get(names.get(at + 1));
    return next == null ? 0 : Long.parseLong(next.setting("index.creation_date", "0"));
  }

  /// An index is kept until its youngest document, which is no younger than the index after it, is
  /// older than the retention.
  private void deleteOld(String name) throws InterruptedException {
    long now = clock.epochMillis();
    DataStream before = DataStreams.of(metadata.current(), name);
    if (before == null || old(metadata.current(), before, now).isEmpty()) {
      return;
    }
    metadata.update(
        "retention [" + name + "]",
        state -> {
          DataStream stream = DataStreams.of(state, name);
          if (stream == null) {
            return state;
          }
          ClusterState left = state;
          for (IndexMetadata index : old(state, stream, now)) {
            IndexBlocks.requireDeletable(index);
            left = BackingIndices.without(left, index);
          }
          return left;
        });
    LOG.info("deleted what is older than its retention [data_stream={}]", name);
  }

  private static List<IndexMetadata> old(ClusterState state, DataStream stream, long nowMillis) {
    Duration retention = retention(stream);
    if (retention == null || !StreamLifecycles.isEnabled(stream)) {
      return List.of();
    }
    return StreamExpression.existing(state, stream, Component.DATA).stream()
        .filter(index -> ManagedIndices.byStream(stream, index))
        .filter(index -> {
          long rolledOver = rolledOverMillis(state, stream, index.id().name());
          return rolledOver > 0 && nowMillis - rolledOver > retention.toMillis();
        })
        .toList();
  }
}
