package dev.holdfast.api.indices.stream;

import dev.holdfast.api.indices.StreamCreation;
import dev.holdfast.api.indices.lifecycle.AutoSharding;
import dev.holdfast.api.indices.lifecycle.StreamLifecycles;
import dev.holdfast.api.indices.lifecycle.WriteLoads;
import dev.holdfast.api.indices.resolve.BackingIndices;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.StreamExpression;
import dev.holdfast.api.indices.settings.LifecycleSettings;
import dev.holdfast.api.stats.ShardFigures;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.document.TimeSeries;
import dev.holdfast.http.TimeValue;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.objectstore.open.StoreClock;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lives the lifecycles of data streams and of their failure stores, on the node that leads: an
/// index that is old or big enough is followed by the next, one of time series becomes coarser, one
/// whose documents are older than the retention is deleted. What fails is tried again at the next
/// run, and shown by `/_lifecycle/explain`.
public final class LifecycleRuns {
  private static final Logger LOG = LoggerFactory.getLogger(LifecycleRuns.class);

  /// Names the time between runs, a cluster setting.
  public static final String POLL_INTERVAL = "data_streams.lifecycle.poll_interval";

  private static final Duration POLL_BY_DEFAULT = Duration.ofMinutes(5);

  /// How often a node looks whether a run is due.
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Metadata metadata;
  private final StreamCreation streams;
  private final IndexingShards shards;
  private final Clock clock;
  private final String self;
  private final TailMerges merges;
  private final StreamDownsampling downsampling;
  private final StoreClock storeClock;
  private volatile Last last = new Last(0, 0, 0, 0);

  /// @param self this node's ephemeral id
  /// @param storeClock what is deleted by its age needs its consent, and a date that ages others
  public LifecycleRuns(
      Metadata metadata,
      StreamCreation streams,
      IndexingShards shards,
      World world,
      String self,
      StreamDownsampling downsampling,
      StoreClock storeClock) {
    this.metadata = metadata;
    this.streams = streams;
    this.shards = shards;
    this.clock = world.clock();
    this.merges = new TailMerges(metadata, shards, clock, world.tasks());
    this.self = self;
    this.downsampling = downsampling;
    this.storeClock = storeClock;
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
  public void run() throws InterruptedException {
    Map<String, String> failed = new TreeMap<>(merges.failures());
    List<IndexMetadata> tails = new ArrayList<>();
    for (DataStream stream : DataStreams.all(metadata.current())) {
      for (Component component : Component.values()) {
        if (StreamLifecycles.isManaged(metadata.current(), stream, component)) {
          rollOver(stream, component, failed);
          deleteOld(stream.name(), component, failed);
          tails.addAll(tail(stream.name(), component));
        }
      }
      downsampling.run(stream.name(), failed);
    }
    merges.begin(tails);
    if (!failed.isEmpty() || LifecycleErrors.areAny(metadata.current())) {
      long now = clock.epochMillis();
      metadata.update(
          "lifecycle-errors", state -> LifecycleErrors.with(state, Map.copyOf(failed), now));
    }
  }

  private void rollOver(DataStream stream, Component component, Map<String, String> failed)
      throws InterruptedException {
    String written = stream.writeIndex(component);
    if (written == null) {
      return;
    }
    try {
      IndexMetadata index = metadata.current().indices().get(written);
      if (index == null
          || !index.isOpen()
          || !ManagedIndices.byStream(metadata.current(), stream, index)) {
        return;
      }
      WriteLoads load = component == Component.DATA ? ShardFigures.writeLoads(shards, index) : null;
      // The date of the next one is since when this one ages.
      if ((isFull(stream, component, index) || needsMoreShards(stream, component, load))
          && storeClock.agrees()) {
        IndexMetadata next = streams.rollOver(stream, component, load);
        LOG.info("rolled over [data_stream={}, index={}]", stream.name(), next.id().name());
      }
    } catch (IOException | RuntimeException e) {
      failed(failed, "rollover", written, e);
    }
  }

  private boolean needsMoreShards(
      DataStream stream, Component component, @Nullable WriteLoads load) {
    return component == Component.DATA
        && streams.autoSharding(stream, load).kind() == AutoSharding.Kind.INCREASE_SHARDS;
  }

  private boolean isFull(DataStream stream, Component component, IndexMetadata index)
      throws IOException {
    List<ShardFigures> figures = ShardFigures.of(shards, List.of(index));
    if (!figures.stream().allMatch(ShardFigures::isStarted)) {
      return false; // not known now
    }
    long documents = figures.stream().mapToLong(one -> one.counted().documents()).sum();
    long mostDocuments = figures.stream().mapToLong(f -> f.counted().documents()).max().orElse(0);
    long mostBytes = figures.stream().mapToLong(f -> f.counted().storeBytes()).max().orElse(0);
    Duration keeps = StreamLifecycles.effective(metadata.current(), stream, component).keeps();
    long ageMillis = clock.epochMillis() - created(index);
    return documents >= 1
        && (mostDocuments >= StreamLifecycles.SHARD_DOCUMENTS_MAX
            || mostBytes >= StreamLifecycles.SHARD_BYTES_MAX
            || ageMillis >= StreamLifecycles.ageMax(keeps).toMillis());
  }

  private static void failed(Map<String, String> failed, String what, String index, Exception why) {
    failed.put(index, String.valueOf(why.getMessage()));
    if (why instanceof Refusal) { // told to who asks; its stack says no more
      LOG.warn("retried at the next run [{}={}, because={}]", what, index, why.getMessage());
    } else {
      LOG.warn("retried at the next run [{}={}]", what, index, why);
    }
  }

  private static long created(IndexMetadata index) {
    return Long.parseLong(index.setting("index.creation_date", "0"));
  }

  /// When another index took a stream's writes from this one; 0 while it is written to. One that
  /// was made elsewhere, and came into the stream before an older one, is not older than itself.
  public static long rolledOverMillis(
      ClusterState state, DataStream stream, Component component, String name) {
    List<String> names = stream.indices(component);
    int at = names.indexOf(name);
    IndexMetadata next =
        at < 0 || at == names.size() - 1 ? null : state.indices().get(names.get(at + 1));
    IndexMetadata own = stream.names(component, name) ? null : state.indices().get(name);
    return next == null ? 0 : Math.max(created(next), own == null ? 0 : created(own));
  }

  /// Since when an index ages: as its settings say, else since it was rolled over.
  static long agedSinceMillis(IndexMetadata index, long rolledOverMillis) {
    long said = LifecycleSettings.of(index).originationMillis();
    return said >= 0 ? said : rolledOverMillis;
  }

  /// When an index took its last documents: when its settings say so, else when another took the
  /// stream's writes, and one of time series when its times were over. 0 while it is written to.
  public static long closedMillis(
      ClusterState state, DataStream stream, Component component, IndexMetadata index) {
    long rolledOver = rolledOverMillis(state, stream, component, index.id().name());
    long said = LifecycleSettings.of(index).originationMillis();
    if (rolledOver > 0 && said >= 0) {
      return Math.max(1, said);
    }
    return rolledOver > 0 && TimeSeries.is(index.settings())
        ? Math.max(rolledOver, TimeSeries.of(index.settings()).endMillis())
        : rolledOver;
  }

  /// An index is kept until its youngest document is older than the retention. One that cannot be
  /// deleted keeps no other.
  private void deleteOld(String name, Component component, Map<String, String> failed)
      throws InterruptedException {
    long now = clock.epochMillis();
    ClusterState state = metadata.current();
    DataStream before = DataStreams.of(state, name);
    if (before == null) {
      return;
    }
    List<IndexMetadata> tooOld = old(state, before, component, now);
    if (tooOld.isEmpty() || !storeClock.agrees()) {
      return;
    }
    for (IndexMetadata index : tooOld) {
      String old = index.id().name();
      try {
        metadata.update(
            "retention [" + old + "]", newest -> without(newest, index, name, component, now));
        LOG.info("deleted what is older than its retention [index={}]", old);
      } catch (RuntimeException e) {
        failed(failed, "deletion", old, e);
      }
    }
  }

  /// The indices that are written to no more and have not got few large segments yet.
  private List<IndexMetadata> tail(String name, Component component) {
    ClusterState state = metadata.current();
    DataStream stream = DataStreams.of(state, name);
    if (stream == null) {
      return List.of();
    }
    return StreamExpression.existing(state, stream, component).stream()
        .filter(index -> !index.id().name().equals(stream.writeIndex(component)))
        .filter(index -> index.isOpen() && !TailMerges.isDone(index))
        .filter(index -> ManagedIndices.byStream(state, stream, index))
        .toList();
  }

  /// The newest state without an index, if it is still old there.
  private static ClusterState without(
      ClusterState state, IndexMetadata index, String name, Component component, long nowMillis) {
    DataStream stream = DataStreams.of(state, name);
    if (stream == null) {
      return state;
    }
    for (IndexMetadata old : old(state, stream, component, nowMillis)) {
      if (old.id().equals(index.id())) {
        IndexBlocks.requireDeletable(old);
        return BackingIndices.without(state, old);
      }
    }
    return state;
  }

  private static List<IndexMetadata> old(
      ClusterState state, DataStream stream, Component component, long nowMillis) {
    Duration keeps = StreamLifecycles.effective(state, stream, component).keeps();
    if (keeps == null || !StreamLifecycles.isManaged(state, stream, component)) {
      return List.of();
    }
    return StreamExpression.existing(state, stream, component).stream()
        .filter(index -> ManagedIndices.byStream(state, stream, index))
        .filter(index -> {
          long closed = closedMillis(state, stream, component, index);
          return closed > 0 && nowMillis - closed > keeps.toMillis();
        })
        .toList();
  }
}
