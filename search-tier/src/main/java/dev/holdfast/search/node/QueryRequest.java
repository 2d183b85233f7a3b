package dev.holdfast.search.node;

import dev.holdfast.query.request.SearchSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The query phase of one search on one node.
///
/// @param search names the search on every node: for the fetch phase and for its end
/// @param shards to be searched here
/// @param shardsAsked how many shards the search has on all nodes together
/// @param nowMillis what `now` means
/// @param elapsedMillis what the search has taken until now, of its time
/// @param isCached whether shards keep their answers; null for what the index says
/// @param isWhole these are all shards of the search: the page's hits are fetched at once
public record QueryRequest(
    String search,
    List<OfShard> shards,
    int shardsAsked,
    SearchSource source,
    long nowMillis,
    long elapsedMillis,
    @Nullable Boolean isCached,
    boolean isWhole) {
  public QueryRequest {
    shards = List.copyOf(shards);
  }

  /// @param ordinal position of the shard among all of the search
  /// @param nearest how many of the nearest of all shards this one has, for each `knn` of the
  ///   search; empty when nobody counted
  public record OfShard(ShardTarget target, int ordinal, List<Integer> nearest) {
    public OfShard {
      nearest = List.copyOf(nearest);
    }

    public OfShard(ShardTarget target, int ordinal) {
      this(target, ordinal, List.of());
    }
  }
}
