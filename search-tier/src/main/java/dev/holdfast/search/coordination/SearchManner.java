package dev.holdfast.search.coordination;

import org.jspecify.annotations.Nullable;

/// How a search is to be run, apart from what it asks.
///
/// @param preference copies of the caller's choice, as in the URL: `_local`, `_only_nodes:…`, any
///   other text for the same copies each time; empty for turns
/// @param isCached whether shards keep their answers for who asks the same (`request_cache`); null
///   for what the index says
public record SearchManner(String preference, @Nullable Boolean isCached) {
  /// On any copies, cached as the index says.
  public static final SearchManner PLAIN = new SearchManner("", null);

  public static SearchManner of(String preference) {
    return new SearchManner(preference, null);
  }
}
