package dev.holdfast.api.search;

import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.query.request.IndexBoost;
import dev.holdfast.query.request.SearchSource;
import java.util.SortedMap;
import java.util.TreeMap;

/// Finds the indices that `indices_boost` means.
final class IndexBoosts {
  private IndexBoosts() {}

  /// @param options as the request resolves the indices it searches
  static SearchSource resolve(
      SearchSource source, ClusterState state, IndexExpression.Options options) {
    if (source.indexBoosts().isEmpty()) {
      return source;
    }
    SortedMap<String, Float> boosts = new TreeMap<>();
    for (IndexBoost boost : source.indexBoosts()) {
      for (IndexMetadata index : IndexExpression.resolve(state, boost.indices(), options)) {
        boosts.putIfAbsent(index.id().name(), boost.boost());
      }
    }
    return source.boosted(boosts);
  }
}
