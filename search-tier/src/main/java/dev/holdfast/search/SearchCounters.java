package dev.holdfast.search;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// How much was searched here, by index, and by the groups that searches name in `stats`.
final class SearchCounters {
  /// Groups that are kept of an index; searches in more of them count for the index alone.
  private static final int GROUPS_MAX = 1000;

  private final Map<IndexId, OfIndex> indices = new ConcurrentHashMap<>();

  /// @param shards of the index that were searched
  void add(IndexId index, int shards, long millis, List<String> groups) {
    indices.computeIfAbsent(index, _ -> new OfIndex()).add(shards, millis, groups);
  }

  SearchFigures figures(IndexId index) {
    OfIndex counted = indices.get(index);
    return counted == null ? SearchFigures.NONE : counted.figures();
  }

  void keepOnly(ClusterState state) {
    indices
        .keySet()
        .removeIf(id -> {
          var index = state.indices().get(id.name());
          return index == null || !index.id().equals(id);
        });
  }

  private static final class OfIndex {
    // Guarded by this.
    private long queries;
    private long millis;
    private final SortedMap<String, SearchFigures> groups = new TreeMap<>();

    synchronized void add(int more, long took, List<String> named) {
      queries += more;
      millis += took;
      SearchFigures one = new SearchFigures(more, took, new TreeMap<>());
      for (String group : named) {
        if (groups.size() < GROUPS_MAX || groups.containsKey(group)) {
          groups.merge(group, one, SearchFigures::plus);
        }
      }
    }

    synchronized SearchFigures figures() {
      return new SearchFigures(queries, millis, new TreeMap<>(groups));
    }
  }
}
