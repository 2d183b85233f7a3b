package dev.holdfast.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.aggregation.AggregationTree;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// The body of a search, read and checked.
///
/// @param postFilter narrows the hits but not the aggregations; null for none
/// @param sorts empty for by score, descending
/// @param searchAfter sort values of the hit before the first one wanted; null for none
/// @param totalHitsUpTo hits are counted exactly up to this many; `Integer.MAX_VALUE` for all, -1
///   for not at all
/// @param tracksScores whether scores are wanted although hits are sorted by something else
/// @param minScore lower scores do not match; null for none
/// @param terminateAfter documents collected of a shard before it stops; 0 for all
/// @param timeoutMillis -1 for none
/// @param storedFields what besides the source is shown of each hit
/// @param indexBoosts in the order of the request, names not resolved yet
/// @param groups names under which this search is counted (`stats`)
public record SearchSource(
    QueryClause query,
    @Nullable QueryClause postFilter,
    int from,
    int size,
    List<SortSpec> sorts,
    @Nullable List<JsonNode> searchAfter,
    SourceFilter source,
    HitParts storedFields,
    int totalHitsUpTo,
    boolean tracksScores,
    @Nullable Float minScore,
    int terminateAfter,
    long timeoutMillis,
    AggregationTree aggregations,
    List<IndexBoost> indexBoosts,
    List<String> groups) {

  /// Hits shown when the request does not say.
  public static final int SIZE_DEFAULT = 10;

  /// Hits counted exactly when the request does not say.
  public static final int TOTAL_HITS_DEFAULT = 10_000;

  /// Reads a search body.
  ///
  /// @throws dev.holdfast.world.Refusal `parsing_exception` and kin for anything unknown or
  ///   malformed
  public static SearchSource parse(ObjectNode body) {
    return SearchSourceReader.read(body);
  }

  /// A search that only counts the documents of a query, exactly.
  ///
  /// @param query the value of `query`; null for all documents
  /// @param terminateAfter 0 for none
  /// @param minScore null for none
  public static SearchSource counting(
      @Nullable JsonNode query, int terminateAfter, @Nullable Float minScore) {
    return new SearchSource(
        Queries.parse(query),
        null,
        0,
        0,
        List.of(),
        null,
        SourceFilter.NONE,
        HitParts.PLAIN,
        Integer.MAX_VALUE,
        false,
        minScore,
        terminateAfter,
        -1,
        AggregationTree.NONE,
        List.of(),
        List.of());
  }

  /// This search with its boosts of indices resolved.
  ///
  /// @param boosts by the name of the index
  public SearchSource boosted(SortedMap<String, Float> boosts) {
    return new SearchSource(
        new IndexBoostClause(query, boosts),
        postFilter,
        from,
        size,
        sorts,
        searchAfter,
        source,
        storedFields,
        totalHitsUpTo,
        tracksScores,
        minScore,
        terminateAfter,
        timeoutMillis,
        aggregations,
        List.of(),
        groups);
  }

  /// Hits that every shard must contribute to be merged.
  int hitsOfShard() {
    return from + size;
  }

  /// Whether hits carry scores worth showing.
  boolean isByScore() {
    return sorts.isEmpty();
  }
}
