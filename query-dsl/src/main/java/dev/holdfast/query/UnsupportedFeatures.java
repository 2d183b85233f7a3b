package dev.holdfast.query;

import dev.holdfast.world.Suggestions;
import java.util.Collection;
import java.util.Map;

/// Queries, aggregations, retrievers and options that Elasticsearch has and we do not: complaints
/// about them say so, rather than guess at a misspelling.
public final class UnsupportedFeatures {
  private static final String MODELS = "it needs a model, which is not supported";
  private static final String UNSERVED = "it is not supported";
  private static final String FUSED =
      "it is only the outermost retriever of [_search], or inside of [rrf], [linear] and"
          + " [rescorer]";

  private static final Map<String, String> REASONS =
      Map.ofEntries(
          Map.entry("semantic", MODELS + "; use [knn] with [query_vector]"),
          Map.entry("text_expansion", MODELS + "; use [sparse_vector] with [query_vector]"),
          Map.entry("weighted_tokens", "it is gone; use [sparse_vector] with [query_vector]"),
          Map.entry("text_similarity_reranker", MODELS),
          Map.entry("rule", UNSERVED + "; use [pinned]"),
          Map.entry("geo_grid", UNSERVED + "; use [geo_bounding_box]"),
          Map.entry("shape", UNSERVED),
          Map.entry("rrf", FUSED),
          Map.entry("linear", FUSED),
          Map.entry("categorize_text", UNSERVED),
          Map.entry("change_point", UNSERVED),
          Map.entry("bucket_correlation", UNSERVED),
          Map.entry("bucket_count_ks_test", UNSERVED),
          Map.entry("cartesian_bounds", UNSERVED),
          Map.entry("cartesian_centroid", UNSERVED),
          Map.entry("frequent_item_sets", UNSERVED),
          Map.entry("geo_line", UNSERVED),
          Map.entry("geohex_grid", UNSERVED + "; use [geotile_grid]"),
          Map.entry("inference", MODELS),
          Map.entry("ip_location", UNSERVED),
          Map.entry("moving_percentiles", UNSERVED),
          Map.entry("pinned", UNSERVED + " as a retriever; use the [pinned] query"),
          Map.entry("t_test", UNSERVED));

  private UnsupportedFeatures() {}

  /// A complaint about a name that is not known, with what helps.
  ///
  /// @param known names that it could be a misspelling of
  public static String complaint(String message, String name, Collection<String> known) {
    String reason = REASONS.get(name);
    return reason == null || known.contains(name)
        ? Suggestions.didYouMean(message, name, known)
        : (message.endsWith(".") ? message.substring(0, message.length() - 1) : message)
            + ": "
            + reason;
  }
}
