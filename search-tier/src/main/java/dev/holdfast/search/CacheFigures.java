package dev.holdfast.search;

import dev.holdfast.clusterstate.ShardId;
import java.util.Collection;
import java.util.Map;
import java.util.function.Predicate;

/// What the caches of search nodes hold and have done: of a shard, or of many.
///
/// @param queries documents of filters, by segment
/// @param requests answers of shards
public record CacheFigures(QueryCacheFigures queries, RequestCacheFigures requests) {
  public static final CacheFigures NONE =
      new CacheFigures(QueryCacheFigures.NONE, RequestCacheFigures.NONE);

  CacheFigures plus(CacheFigures other) {
    return new CacheFigures(queries.plus(other.queries), requests.plus(other.requests));
  }

  /// All together.
  public static CacheFigures sum(Collection<CacheFigures> figures) {
    return figures.stream().reduce(NONE, CacheFigures::plus);
  }

  /// Those of some shards together.
  public static CacheFigures sum(Map<ShardId, CacheFigures> figures, Predicate<ShardId> isMeant) {
    return sum(
        figures.entrySet().stream()
            .filter(one -> isMeant.test(one.getKey()))
            .map(Map.Entry::getValue)
            .toList());
  }
}
