package dev.holdfast.http;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What Elasticsearch's API has and this one has not, by the first segment of its paths that begins
/// with `_`: said in the answer, so that nobody looks for a mistake in the request.
public final class MissingFeatures {
  private static final String LANGUAGES =
      "query languages other than the query DSL are not supported; use [_search]";
  private static final String MODELS =
      "models and inference are not supported; compute vectors outside and search them with [knn]";
  private static final String SECURITY =
      "security is not supported; put a proxy that authenticates in front";
  private static final String TRANSFORMS =
      "transforms are not supported; page through a [composite] aggregation and index the buckets";

  private static final Map<String, String> REASONS =
      Map.ofEntries(
          Map.entry("_query", LANGUAGES),
          Map.entry("_sql", LANGUAGES),
          Map.entry("_eql", LANGUAGES),
          Map.entry("_ml", MODELS),
          Map.entry("_inference", MODELS),
          Map.entry("_security", SECURITY),
          Map.entry("_transform", TRANSFORMS),
          Map.entry("_rollup", TRANSFORMS),
          Map.entry("_watcher", "watches are not supported"),
          Map.entry("_ccr", "replication between clusters is not supported"),
          Map.entry("_graph", "graph exploration is not supported"),
          Map.entry("_knn_search", "[_knn_search] is gone; use [knn] in [_search]"),
          Map.entry("_application", "search applications are not supported"),
          Map.entry("_query_rules", "query rules are not supported"),
          Map.entry("_connector", "connectors are not supported"));

  private MissingFeatures() {}

  /// Why a path is not served; null for one that Elasticsearch does not have either.
  ///
  /// @param match what the path would be read as: a missing feature's name is never an index
  public static @Nullable String reason(List<String> segments, Routes.@Nullable Match match) {
    for (String segment : segments) {
      String reason = REASONS.get(segment);
      if (reason != null && (match == null || segment.equals(match.pathValues().get("index")))) {
        return reason;
      }
    }
    return null;
  }
}
