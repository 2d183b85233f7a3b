package dev.holdfast.search.coordination;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// How much was searched.
///
/// @param queries one a shard and search
/// @param millis spent on them
/// @param scrolls pages of scrolls among them, one a shard and page
/// @param openContexts commits kept open now for scrolls and points in time
/// @param groups the same by the groups that searches name in `stats`
public record SearchFigures(
    long queries,
    long millis,
    long scrolls,
    long scrollMillis,
    long openContexts,
    SortedMap<String, SearchFigures> groups) {
  public static final SearchFigures NONE = new SearchFigures(0, 0, 0, 0, 0, new TreeMap<>());

  public SearchFigures {
    groups = Collections.unmodifiableSortedMap(new TreeMap<>(groups));
  }

  public SearchFigures plus(SearchFigures other) {
    SortedMap<String, SearchFigures> both = new TreeMap<>(groups);
    other.groups.forEach((name, figures) -> both.merge(name, figures, SearchFigures::plus));
    return new SearchFigures(
        queries + other.queries,
        millis + other.millis,
        scrolls + other.scrolls,
        scrollMillis + other.scrollMillis,
        openContexts + other.openContexts,
        both);
  }
}
