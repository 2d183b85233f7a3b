package dev.holdfast.search.execution;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.phase.ShardScope;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.search.cache.RequestCache;
import dev.holdfast.search.copy.OpenCommit;
import dev.holdfast.search.held.HeldCommit;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A shard that is searched here: its commit stays open until the search ends.
///
/// @param held null when it was not pinned before
/// @param key under which the answer is kept; null when it is not
/// @param nearest as in the question
record SearchTarget(
    ShardId shard,
    OpenCommit opened,
    QueryContext context,
    ShardScope scope,
    @Nullable HeldCommit held,
    RequestCache.@Nullable Key key,
    List<Integer> nearest) {
  boolean isScroll() {
    return held != null && held.kind() == ShardContexts.Kind.SCROLL;
  }

  void found(ShardResult result) {
    if (held != null) {
      held.found(result);
    }
  }

  void shown(ShardHit last) {
    if (held != null) {
      held.shown(last);
    }
  }

  /// Pages of a scroll are as dear as windows of other searches.
  void checkBatch(SearchSource source) {
    int max = context.mapping().limits().resultWindowMax();
    if (isScroll() && source.size() > max) {
      throw Refusal.badArgument(
          "Batch size is too large, size must be less than or equal to: ["
              + max
              + "] but was ["
              + source.size()
              + "]. Scroll batch sizes cost as much memory as result windows so they are"
              + " controlled by the [index.max_result_window] index level setting.");
    }
  }
}
