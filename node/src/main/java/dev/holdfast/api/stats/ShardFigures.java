package dev.holdfast.api.stats;

import dev.holdfast.api.indices.lifecycle.WriteLoads;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardAssignment;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.indexing.IndexingTier;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.indexing.call.ShardStats;
import dev.holdfast.indexing.notice.IndexingShardInfo;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The counters of one shard, or the fact that it serves nobody now.
///
/// @param stats null while the shard is not started
/// @param why it is not started, as far as its owner says; empty when it is
public record ShardFigures(
    IndexMetadata index, ShardId shard, @Nullable ShardStats stats, String why) {
  private static final Logger LOG = LoggerFactory.getLogger(ShardFigures.class);

  /// Where the shard and its copies are, the indexing shard first.
  public List<ShardRouting> places(ClusterState state) {
    // Its owner tries on, but nobody serves it before somebody does something.
    boolean isLost = !isStarted() && UploadMarks.of(state, shard).isShort();
    return ShardRouting.of(isLost ? ShardAssignment.NONE : state.assignment(shard), isStarted());
  }

  public boolean isStarted() {
    return stats != null;
  }

  /// The counters, all zero while the shard is not started.
  public ShardStats counted() {
    return stats == null ? ShardStats.NONE : stats;
  }

  /// Every shard of the open ones among `indices`.
  public static List<ShardFigures> of(IndexingShards shards, Collection<IndexMetadata> indices)
      throws IOException {
    List<ShardFigures> all = new ArrayList<>();
    for (IndexMetadata index : indices) {
      for (int number = 0; index.isOpen() && number < index.shards(); number++) {
        StopSignal.lookForCancelling();
        ShardId shard = new ShardId(index.id(), number);
        all.add(figures(shards, index, shard));
      }
    }
    return all;
  }

  /// Counters of the shards that a node indexes, those that are started.
  public static List<ShardStats> ofNode(IndexingTier tier) throws IOException {
    List<ShardStats> counters = new ArrayList<>();
    for (IndexingShardInfo sight : tier.sights()) {
      ShardStats stats = started(tier, sight.shard());
      if (stats != null) {
        counters.add(stats);
      }
    }
    return counters;
  }

  /// The same with what they are counters of, by the numbers of the shards.
  public static List<ShardFigures> ofNode(IndexingTier tier, ClusterState state)
      throws IOException {
    List<ShardFigures> all = new ArrayList<>();
    for (IndexingShardInfo sight : tier.sights()) {
      ShardId shard = sight.shard();
      IndexMetadata index = state.indices().get(shard.index().name());
      ShardStats stats = started(tier, shard);
      if (index != null && index.id().equals(shard.index()) && stats != null) {
        all.add(new ShardFigures(index, shard, stats, ""));
      }
    }
    all.sort(Comparator.comparingInt(one -> one.shard().number()));
    return all;
  }

  private static @Nullable ShardStats started(IndexingTier tier, ShardId shard) throws IOException {
    try {
      return tier.stats(shard);
    } catch (Refusal e) {
      LOG.debug("no figures of a shard that is not started [shard={}]", shard, e);
      return null;
    }
  }

  private static ShardFigures figures(IndexingShards shards, IndexMetadata index, ShardId shard)
      throws IOException {
    try {
      return new ShardFigures(index, shard, shards.stats(shard), "");
    } catch (Refusal e) {
      return switch (e.type()) {
        case SHARD_NOT_FOUND, NO_SHARD_AVAILABLE, UNAVAILABLE_SHARDS ->
            new ShardFigures(index, shard, null, why(shard, e));
        default -> throw e;
      };
    }
  }

  /// Without what everybody knows who asks why.
  private static String why(ShardId shard, Refusal refusal) {
    String known = shard + " primary shard is not active: ";
    String reason = refusal.reason();
    if (refusal.getCause() instanceof IOException unreachable) {
      return "its owner does not answer: " + unreachable.getMessage();
    }
    return reason.startsWith(known) ? reason.substring(known.length()) : reason;
  }

  /// How many threads the writes to an index keep busy; null while a shard is not started.
  public static @Nullable WriteLoads writeLoads(IndexingShards shards, IndexMetadata index)
      throws IOException {
    List<ShardFigures> figures = of(shards, List.of(index));
    if (figures.isEmpty() || !figures.stream().allMatch(ShardFigures::isStarted)) {
      return null;
    }
    ShardStats sum = sum(figures);
    return new WriteLoads(sum.load(), sum.recentLoad(), sum.peakLoad());
  }

  /// All together.
  public static ShardStats sum(Collection<ShardFigures> figures) {
    return sumOf(figures.stream().map(ShardFigures::counted).toList());
  }

  /// The same of bare counters.
  public static ShardStats sumOf(Collection<ShardStats> counters) {
    return counters.stream().reduce(ShardStats.NONE, ShardStats::plus);
  }
}
