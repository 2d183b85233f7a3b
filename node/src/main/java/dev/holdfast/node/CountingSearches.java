package dev.holdfast.node;

import dev.holdfast.clusterstate.IndexId;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.notice.IndexingReads.RealTimeDocument;
import dev.holdfast.query.SearchSource;
import dev.holdfast.search.SearchResponse;
import dev.holdfast.search.Searches;
import dev.holdfast.world.Clock;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;

/// The search tier, with its searches counted.
final class CountingSearches implements Searches {
  private final Searches searches;
  private final SearchCounters counters;
  private final Clock clock;

  CountingSearches(Searches searches, SearchCounters counters, Clock clock) {
    this.searches = searches;
    this.counters = counters;
    this.clock = clock;
  }

  @Override
  public SearchResponse search(
      List<IndexId> indices, SearchSource source, BooleanSupplier isCancelled)
      throws IOException, InterruptedException {
    long start = clock.nanoTime();
    indices.forEach(counters::began);
    try {
      return searches.search(indices, source, isCancelled);
    } finally {
      long took = clock.nanoTime() - start;
      indices.forEach(index -> counters.ended(index, took));
    }
  }

  @Override
  public RealTimeDocument get(ShardId shard, String id, boolean realTime) throws IOException {
    return searches.get(shard, id, realTime);
  }

  @Override
  public long documents(ShardId shard) throws IOException {
    return searches.documents(shard);
  }
}
