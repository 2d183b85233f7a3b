package dev.holdfast.query.phase;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.clause.vector.KnnSearchClause;
import dev.holdfast.query.clause.vector.KnnSearchClause.Nearest;
import dev.holdfast.query.request.IndexBoostClause;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.source.SourceFilter;
import dev.holdfast.world.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The `knn` of a search over several shards: its `k` hits are the nearest of all shards together.
/// Where they are merged with other hits or aggregated, it must be known before how many of them
/// each shard has: the nearest of a shard are then that many.
public final class KnnPhase {
  private KnnPhase() {}

  /// What finds the nearest alone, one search for each `knn`; none where merging the hits of the
  /// search is enough, or where it asks for no nearest.
  public static List<SearchSource> sources(SearchSource source) {
    KnnSearchClause clause = clause(source.query());
    return clause == null || mergedMax(source) >= 0
        ? List.of()
        : clause.nearest().stream().map(KnnPhase::alone).toList();
  }

  /// Whether a query is scored beside the nearest, which Elasticsearch does by the statistics of
  /// all shards.
  public static boolean isBesideQuery(SearchSource source) {
    KnnSearchClause clause = clause(source.query());
    return clause != null && clause.query() != null;
  }

  private static SearchSource alone(Nearest nearest) {
    ObjectNode body = Json.object();
    body.set("knn", nearest.body());
    body.put("size", nearest.k()).put("track_total_hits", false).put("_source", false);
    return SearchSource.plain(
        new KnnSearchClause(null, List.of(nearest)), nearest.k(), -1, SourceFilter.NONE, body);
  }

  /// The search on a shard that has so many of the nearest.
  ///
  /// @param counts one for each `knn`
  public static SearchSource limited(SearchSource source, List<Integer> counts) {
    return source.withQuery(limited(source.query(), counts));
  }

  private static QueryClause limited(QueryClause query, List<Integer> counts) {
    return switch (query) {
      case IndexBoostClause boosted ->
          new IndexBoostClause(limited(boosted.clause(), counts), boosted.boosts());
      case KnnSearchClause nearest -> nearest.limited(counts);
      default -> query;
    };
  }

  private static @Nullable KnnSearchClause clause(QueryClause query) {
    return switch (query) {
      case IndexBoostClause boosted -> clause(boosted.clause());
      case KnnSearchClause nearest -> nearest;
      default -> null;
    };
  }

  /// How many hits there are in all shards together; -1 for as many as match.
  static int mergedMax(SearchSource source) {
    boolean isMerged =
        source.query() instanceof KnnSearchClause clause
            && clause.query() == null
            && clause.nearest().size() == 1
            && source.isByScore()
            && source.postFilter() == null
            && source.aggregations().isEmpty()
            && source.extras().collapse() == null
            && source.extras().rescores().isEmpty();
    return isMerged && source.query() instanceof KnnSearchClause clause
        ? clause.nearest().getFirst().k()
        : -1;
  }
}
