package dev.holdfast.search.node;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.document.TimeSpan;
import dev.holdfast.query.request.SearchSource;

/// How long a search may take: what it says, else `search.default_search_timeout`.
public final class SearchTimeout {
  private static final String DEFAULT = "search.default_search_timeout";

  private SearchTimeout() {}

  /// @return negative for none
  public static long millis(SearchSource source, Metadata metadata) {
    Object set = metadata.current().setting(DEFAULT);
    return source.timeoutMillis() != SearchSource.NO_TIMEOUT_GIVEN || set == null
        ? source.timeoutMillis()
        : TimeSpan.millis(DEFAULT, set.toString());
  }
}
