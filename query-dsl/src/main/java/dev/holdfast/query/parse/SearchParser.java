package dev.holdfast.query.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.request.CollapsedGroupBody;
import dev.holdfast.query.request.HitParts;
import dev.holdfast.query.request.SearchExtras;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.source.SourceFilter;
import dev.holdfast.query.statistics.GatheredStatistics;
import dev.holdfast.world.Json;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads search bodies: of clients, of other nodes, and those inside others.
public final class SearchParser {
  private SearchParser() {}

  /// Reads a search body.
  ///
  /// @throws dev.holdfast.world.Refusal `parsing_exception` and kin for anything unknown or
  ///   malformed
  public static SearchSource parse(ObjectNode body) {
    return parse(body, _ -> {});
  }

  /// The same.
  ///
  /// @param seen hears the names of the queries in `query` and `post_filter`, the inner ones too
  public static SearchSource parse(ObjectNode body, Consumer<String> seen) {
    return SearchSourceReader.read(body, seen);
  }

  /// Reads how hits within an answer are shown, as a search body.
  ///
  /// @throws dev.holdfast.world.Refusal as [#parse]
  public static SearchSource part(ObjectNode body) {
    return SearchSourceReader.readPart(body);
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
        List.of(),
        SearchExtras.NONE,
        countingBody(query, terminateAfter, minScore));
  }

  private static ObjectNode countingBody(
      @Nullable JsonNode query, int terminateAfter, @Nullable Float minScore) {
    ObjectNode body = Json.object().put("size", 0).put("track_total_hits", true);
    if (query != null) {
      body.set("query", query);
    }
    if (minScore != null) {
      body.put("min_score", minScore);
    }
    return body.put("terminate_after", terminateAfter);
  }

  /// The search of a body that came from another node: its names of indices are resolved.
  public static SearchSource travelled(ObjectNode body) {
    GatheredStatistics statistics = GatheredStatistics.take(body);
    SearchSource source = travelledPlain(body);
    return statistics == null ? source : source.withStatistics(statistics);
  }

  private static SearchSource travelledPlain(ObjectNode body) {
    CollapsedGroupBody group = CollapsedGroupBody.take(body);
    if (group != null) {
      return parse(group.outer()).forGroup(parse(body), group.field(), group.value());
    }
    SearchSource source = parse(body);
    if (source.indexBoosts().isEmpty()) {
      return source;
    }
    SortedMap<String, Float> boosts = new TreeMap<>();
    source.indexBoosts().forEach(boost -> boosts.putIfAbsent(boost.indices(), boost.boost()));
    return source.boosted(boosts);
  }
}
