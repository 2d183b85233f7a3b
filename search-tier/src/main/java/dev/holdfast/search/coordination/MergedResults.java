package dev.holdfast.search.coordination;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.phase.SearchMerge;
import dev.holdfast.query.phase.SortKinds;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.World;
import java.util.List;
import java.util.function.BooleanSupplier;

/// What the shards found, as one.
///
/// @param heldBytes roughly, what its aggregations hold: what the last merge asked for
record MergedResults(SearchMerge merge, long heldBytes) {
  /// The last merge.
  ///
  /// @throws Refusal when there is no memory for it, it has too many buckets, a script of it fails,
  ///   the hits have no order together, or it is cancelled
  static MergedResults of(
      World world,
      Metadata metadata,
      SearchSource source,
      List<ShardResult> results,
      BooleanSupplier isCancelled) {
    Refusal mixed = SortKinds.mixed(source, results);
    if (mixed != null) {
      throw ofNoShard(mixed);
    }
    try (Reservation memory = world.memory().request().begin("<reduce_aggs>")) {
      SearchMerge merge =
          StopSignal.of(isCancelled, world.clock())
              .<SearchMerge, RuntimeException>during(
                  () -> SearchMerge.of(source, results, bucketsMax(metadata), memory));
      return new MergedResults(merge, memory.bytes());
    } catch (Refusal e) {
      throw e.type() == ErrorType.SCRIPT ? ofNoShard(e) : e; // one of a pipeline aggregation
    }
  }

  /// The refusal of a search in which no shard failed.
  private static Refusal ofNoShard(Refusal why) {
    return Refusal.around(ErrorType.SEARCH_PHASE_EXECUTION, "", why)
        .with("phase", "fetch")
        .with("grouped", true)
        .with("failed_shards", List.of());
  }

  private static int bucketsMax(Metadata metadata) {
    Object set = metadata.current().setting("search.max_buckets");
    return set == null ? Reduction.BUCKETS_MAX : Integer.parseInt(set.toString());
  }
}
