package dev.holdfast.query.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.BoostedClause;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.sort.SortSpec;
import dev.holdfast.query.source.SourceFilter;
import dev.holdfast.query.statistics.GatheredStatistics;
import dev.holdfast.world.Json;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// The body of a search, read and checked. `SearchParser` makes it.
///
/// @param postFilter narrows the hits but not the aggregations; null for none
/// @param sorts empty for by score, descending
/// @param searchAfter sort values of the hit before the first one wanted; null for none
/// @param totalHitsUpTo hits are counted exactly up to this many; `Integer.MAX_VALUE` for all, -1
///   for not at all
/// @param tracksScores whether scores are wanted although hits are sorted by something else
/// @param minScore lower scores do not match; null for none
/// @param terminateAfter documents collected of a shard before it stops; 0 for all
/// @param timeoutMillis -1 for none, [#NO_TIMEOUT_GIVEN] for what the cluster has set
/// @param storedFields what besides the source is shown of each hit
/// @param indexBoosts in the order of the request, names not resolved yet
/// @param groups names under which this search is counted (`stats`)
/// @param body the JSON that says the same: it travels to other nodes
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
    List<String> groups,
    SearchExtras extras,
    ObjectNode body) {

  /// Hits shown when the request does not say.
  public static final int SIZE_DEFAULT = 10;

  /// Hits counted exactly when the request does not say.
  public static final int TOTAL_HITS_DEFAULT = 10_000;

  /// The time of a search that does not say how long it may take.
  public static final long NO_TIMEOUT_GIVEN = -2;

  /// A search for hits of a query, without any option.
  ///
  /// @param totalHitsUpTo as the component of that name
  /// @param body the JSON that says the same
  public static SearchSource plain(
      QueryClause query, int size, int totalHitsUpTo, SourceFilter source, ObjectNode body) {
    return new SearchSource(
        query,
        null,
        0,
        size,
        List.of(),
        null,
        source,
        HitParts.PLAIN,
        totalHitsUpTo,
        false,
        null,
        0,
        -1,
        AggregationTree.NONE,
        List.of(),
        List.of(),
        SearchExtras.NONE,
        body);
  }

  /// This search with its boosts of indices resolved.
  ///
  /// @param boosts by the name of the index
  public SearchSource boosted(SortedMap<String, Float> boosts) {
    Draft draft = new Draft(this);
    draft.query = new IndexBoostClause(query, boosts);
    draft.indexBoosts = List.of();
    draft.body = withBoosts(boosts);
    return draft.finished();
  }

  private ObjectNode withBoosts(SortedMap<String, Float> boosts) {
    ObjectNode resolved = Json.object();
    resolved.setAll(body);
    ArrayNode list = resolved.putArray("indices_boost");
    boosts.forEach((index, boost) -> list.addObject().put(index, boost));
    return resolved;
  }

  /// This search for what is in the group of a hit, and nothing else.
  ///
  /// @param inner the search for the group
  /// @param group value of the field collapsed on; null for documents without one
  public SearchSource forGroup(SearchSource inner, String field, @Nullable Object group) {
    boolean hasQuery = body.has("query") || body.has("knn") || body.has("retriever");
    return new SearchSource(
        new CollapsedGroupClause(
            hasQuery ? query : new BoostedClause(query, 0, null), postFilter, field, group),
        null,
        inner.from,
        inner.size,
        inner.sorts,
        null,
        inner.source,
        inner.storedFields.withIds(true),
        inner.totalHitsUpTo,
        inner.tracksScores,
        null,
        0,
        timeoutMillis,
        AggregationTree.NONE,
        List.of(),
        List.of(),
        inner.extras.withRuntimeOf(extras),
        CollapsedGroupBody.of(body, inner.body, field, group));
  }

  /// This search with or without `_id` and its kin of hits.
  public SearchSource showingIds(boolean shown) {
    Draft draft = new Draft(this);
    draft.storedFields = storedFields.withIds(shown);
    return draft.finished();
  }

  /// This search for the matches of another query.
  public SearchSource asking(QueryClause other) {
    Draft draft = new Draft(this);
    draft.query = other;
    draft.totalHitsUpTo = Integer.MAX_VALUE;
    return draft.finished();
  }

  /// The same search of another query.
  public SearchSource withQuery(QueryClause other) {
    Draft draft = new Draft(this);
    draft.query = other;
    return draft.finished();
  }

  /// This search, scored by statistics of several shards, or asking for them.
  public SearchSource withStatistics(GatheredStatistics statistics) {
    Draft draft = new Draft(this);
    draft.extras = extras.withStatistics(statistics);
    draft.body = statistics.beside(body);
    return draft.finished();
  }

  /// This search, asking for statistics first where that is wanted.
  public SearchSource gatheringStatistics(boolean isWanted) {
    return isWanted ? withStatistics(GatheredStatistics.ASKED) : this;
  }

  /// This search without totals.
  public SearchSource uncounted() {
    Draft draft = new Draft(this);
    draft.totalHitsUpTo = -1;
    draft.aggregations = AggregationTree.NONE;
    return draft.finished();
  }

  /// This search for the total only.
  ///
  /// @param upTo as `totalHitsUpTo`
  public SearchSource withoutHits(int upTo) {
    Draft draft = new Draft(this);
    draft.from = 0;
    draft.size = 0;
    draft.totalHitsUpTo = upTo;
    return draft.finished();
  }

  /// Hits that every shard must contribute to be merged.
  public int hitsOfShard() {
    return from + size;
  }

  /// Whether hits carry scores worth showing.
  public boolean isByScore() {
    return sorts.isEmpty();
  }

  /// What searches that are made of others change.
  private static final class Draft {
    private final SearchSource of;
    private QueryClause query;
    private int from;
    private int size;
    private int totalHitsUpTo;
    private AggregationTree aggregations;
    private List<IndexBoost> indexBoosts;
    private HitParts storedFields;
    private SearchExtras extras;
    private ObjectNode body;

    private Draft(SearchSource of) {
      this.of = of;
      query = of.query;
      from = of.from;
      size = of.size;
      totalHitsUpTo = of.totalHitsUpTo;
      aggregations = of.aggregations;
      indexBoosts = of.indexBoosts;
      storedFields = of.storedFields;
      extras = of.extras;
      body = of.body;
    }

    private SearchSource finished() {
      return new SearchSource(
          query,
          of.postFilter,
          from,
          size,
          of.sorts,
          of.searchAfter,
          of.source,
          storedFields,
          totalHitsUpTo,
          of.tracksScores,
          of.minScore,
          of.terminateAfter,
          of.timeoutMillis,
          aggregations,
          indexBoosts,
          of.groups,
          extras,
          body);
    }
  }
}
