package dev.holdfast.clusterstate.allocation;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Indices that are being split and of which a shard kept writes waiting lately: it was divided, or
/// moved, or opened again. A bulk has documents of all shards and meets each of these pauses, so
/// none moves for the sake of balance before writes have gone on for a while.
final class RestingIndices {
  /// Writes go on for so long: a pause takes less than a second, as a rule.
  static final Duration REST = Duration.ofSeconds(20);

  /// Pauses that come again and again, as while nodes die, keep shards from moving no longer.
  static final Duration REST_MAX = Duration.ofMinutes(1);

  private final Map<IndexId, Paused> known = new HashMap<>();

  /// @param terms of the shards: each pause raises one
  /// @param nanos when they were first seen
  /// @param restingNanos since when there was a pause again and again
  private record Paused(List<Long> terms, long nanos, long restingNanos) {
    boolean rests(long nowNanos) {
      return nowNanos - nanos < REST.toNanos() && nowNanos - restingNanos < REST_MAX.toNanos();
    }
  }

  /// Their uuids.
  SortedSet<String> of(ClusterState state, long nowNanos) {
    Set<IndexId> split = new HashSet<>();
    SortedSet<String> resting = new TreeSet<>();
    for (IndexMetadata index : state.indices().values()) {
      if (isSplit(index)) {
        split.add(index.id());
        Paused paused = paused(known.get(index.id()), index.primaryTerms(), nowNanos);
        known.put(index.id(), paused);
        if (paused.rests(nowNanos)) {
          resting.add(index.id().uuid());
        }
      }
    }
    known.keySet().retainAll(split);
    return resting;
  }

  private static Paused paused(@Nullable Paused before, List<Long> terms, long nowNanos) {
    if (before == null) {
      return new Paused(terms, nowNanos, nowNanos);
    }
    if (before.terms.equals(terms)) {
      return before;
    }
    boolean goesOn = nowNanos - before.nanos < REST.toNanos();
    return new Paused(terms, nowNanos, goesOn ? before.restingNanos : nowNanos);
  }

  /// Whether it is to get more shards than it has.
  static boolean isSplit(IndexMetadata index) {
    IndexSplit split = index.split();
    return split != null && split.isUnderWay(index.shards());
  }
}
