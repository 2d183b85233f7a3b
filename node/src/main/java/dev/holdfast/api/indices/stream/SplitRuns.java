package dev.holdfast.api.indices.stream;

import dev.holdfast.api.indices.ReshardApi;
import dev.holdfast.api.indices.StreamCreation;
import dev.holdfast.api.indices.lifecycle.AutoSharding;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives indices twice as many shards by themselves (decision 031): one that a data stream is
/// written to, when for a minute its writes have kept half as many threads more busy than its
/// shards are meant for, unless its template says how many they are; and any whose largest shard
/// has grown too large. The leader looks, where `cluster.auto_split.enabled` says so. Used by one
/// task alone.
public final class SplitRuns {
  /// A cluster setting, as is the next.
  public static final String ENABLED = "cluster.auto_split.enabled";

  public static final String SIZE_MAX = "cluster.auto_split.max_shard_size";

  private static final Logger LOG = LoggerFactory.getLogger(SplitRuns.class);
  private static final String SIZE_BY_DEFAULT = "50gb";

  /// How much more than its shards are meant for is too much.
  private static final double OVERLOAD = 1.5;

  /// For how long.
  private static final Duration OVERLOADED = Duration.ofSeconds(60);

  private static final Duration LOOK = Duration.ofSeconds(10);

  /// Indices that are split at a time. Their blobs are copied, and their ids read, beside all that
  /// nodes do otherwise.
  private static final int AT_ONCE_MAX = 8;

  private final Metadata metadata;
  private final IndexingShards shards;
  private final Clock clock;
  private final String self;

  /// Since when an index is written to too hard.
  private final Map<IndexId, Long> sinceNanos = new HashMap<>();

  /// @param self this node's ephemeral id
  public SplitRuns(Metadata metadata, IndexingShards shards, Clock clock, String self) {
    this.metadata = metadata;
    this.shards = shards;
    this.clock = clock;
    this.self = self;
  }

  /// Looks after the indices from now on.
  public void start(World world) {
    var _ = world.tasks().repeat("index-splits", LOOK, this::look);
  }

  /// One look at every index.
  void look() throws InterruptedException {
    ClusterState state = metadata.current();
    boolean isOn = Boolean.parseBoolean(String.valueOf(state.setting(ENABLED)));
    if (!isOn || !metadata.leaderId().equals(self)) {
      sinceNanos.clear();
      return;
    }
    sinceNanos.keySet().removeIf(id -> !isThere(state, id));
    int underWay = 0;
    for (IndexMetadata index : state.indices().values()) {
      underWay += index.isOpen() && isUnderWay(index) ? 1 : 0;
    }
    for (IndexMetadata index : state.indices().values()) {
      if (index.isOpen() && !isUnderWay(index) && !isRolledOver(state, index.id().name())) {
        underWay += look(state, index, underWay < AT_ONCE_MAX) ? 1 : 0;
      }
    }
  }

  private static boolean isUnderWay(IndexMetadata index) {
    IndexSplit split = index.split();
    return split != null && split.isUnderWay(index.shards());
  }

  private static boolean isThere(ClusterState state, IndexId id) {
    IndexMetadata index = state.indices().get(id.name());
    return index != null && index.id().equals(id);
  }

  /// Whether a data stream writes to a later one: it does not grow, and may be large because that
  /// was why.
  private static boolean isRolledOver(ClusterState state, String index) {
    DataStream stream = DataStreams.owning(state, index);
    return stream != null
        && Arrays.stream(Component.values())
            .noneMatch(component -> index.equals(stream.writeIndex(component)));
  }

  /// @param mayBegin whether it may be split now
  /// @return whether that has begun
  private boolean look(ClusterState state, IndexMetadata index, boolean mayBegin)
      throws InterruptedException {
    try {
      Figures figures = figures(index);
      boolean isDue = isOverloaded(state, index, figures.load) || figures.bytesMax > sizeMax(state);
      if (isDue && mayBegin) {
        split(index);
        return true;
      }
    } catch (IOException | Refusal e) {
      LOG.debug("looked at again later [index={}]", index.id(), e);
    }
    return false;
  }

  /// @param load threads that writes to all shards keep busy, lately
  /// @param bytesMax of the largest shard, without what is deleted
  private record Figures(double load, long bytesMax) {}

  private Figures figures(IndexMetadata index) throws IOException {
    double load = 0;
    long bytesMax = 0;
    for (int number = 0; number < index.shards(); number++) {
      ShardStats stats = shards.stats(new ShardId(index.id(), number));
      load += stats.recentLoad();
      bytesMax =
          Math.max(
              bytesMax, liveBytes(stats.storeBytes(), stats.documents(), stats.deletedDocuments()));
    }
    return new Figures(load, bytesMax);
  }

  /// What a shard has without the documents that it holds as deleted: one that gave half of its
  /// documents away has the bytes of all until they are merged, and would be split again and again.
  static long liveBytes(long bytes, long documents, long deleted) {
    long all = documents + deleted;
    return all == 0 ? bytes : (long) ((double) bytes * documents / all);
  }

  /// In bytes; 0 stands for none.
  private static long sizeMax(ClusterState state) {
    Object set = state.setting(SIZE_MAX);
    long bytes = ByteSize.parse(SIZE_MAX, set == null ? SIZE_BY_DEFAULT : set.toString()).bytes();
    return bytes == 0 ? Long.MAX_VALUE : bytes;
  }

  /// Whether an index that a stream is written to has been written to too hard for long enough.
  private boolean isOverloaded(ClusterState state, IndexMetadata index, double load) {
    DataStream stream = DataStreams.owning(state, index.id().name());
    AutoSharding sharding = AutoSharding.of(state);
    boolean isTooMuch =
        stream != null
            && index.id().name().equals(stream.writeIndex())
            && sharding.optimal(load / OVERLOAD) > index.shards()
            && sharding.isFor(stream.name(), StreamCreation.saysShards(state, stream));
    if (!isTooMuch) {
      sinceNanos.remove(index.id());
      return false;
    }
    long nowNanos = clock.nanoTime();
    long since = sinceNanos.computeIfAbsent(index.id(), _ -> nowNanos);
    return nowNanos - since >= OVERLOADED.toNanos();
  }

  private void split(IndexMetadata index) throws InterruptedException {
    int to = 2 * index.shards();
    ClusterState _ = ReshardApi.begun(metadata.current(), index.id(), to); // else nobody is asked
    ClusterState _ =
        metadata.update(
            "split [" + index.id().name() + "] to [" + to + "]",
            state -> ReshardApi.begun(state, index.id(), to));
    sinceNanos.remove(index.id());
    LOG.info("gives an index more shards [index={}, shards={}]", index.id(), to);
  }
}
