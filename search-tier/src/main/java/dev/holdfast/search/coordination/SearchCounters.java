package dev.holdfast.search.coordination;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexId;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// How much was searched here, by index, and by the groups that searches name in `stats`.
public final class SearchCounters {
  /// Groups that are kept of an index; searches in more of them count for the index alone.
  private static final int GROUPS_MAX = 1000;

  private final Map<IndexId, OfIndex> indices = new ConcurrentHashMap<>();

  /// @param shards of the index that were searched
  public void add(IndexId index, int shards, long millis, boolean isScroll, List<String> groups) {
    indices.computeIfAbsent(index, _ -> new OfIndex()).add(shards, millis, isScroll, groups);
  }

  public SearchFigures figures(IndexId index, long openContexts) {
    OfIndex counted = indices.get(index);
    return counted == null
        ? new SearchFigures(0, 0, 0, 0, openContexts, new TreeMap<>())
        : counted.figures(openContexts);
  }

  public void keepOnly(ClusterState state) {
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
    private long scrolls;
    private long scrollMillis;
    private final SortedMap<String, SearchFigures> groups = new TreeMap<>();

    synchronized void add(int more, long took, boolean isScroll, List<String> named) {
      queries += more;
      millis += took;
      scrolls += isScroll ? more : 0;
      scrollMillis += isScroll ? took : 0;
      SearchFigures one = new SearchFigures(more, took, 0, 0, 0, new TreeMap<>());
      for (String group : named) {
        if (groups.size() < GROUPS_MAX || groups.containsKey(group)) {
          groups.merge(group, one, SearchFigures::plus);
        }
      }
    }

    synchronized SearchFigures figures(long openContexts) {
      return new SearchFigures(
          queries, millis, scrolls, scrollMillis, openContexts, new TreeMap<>(groups));
    }
  }
}
