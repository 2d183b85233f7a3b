package dev.holdfast.query.phase;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.AggregationTimes;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.lucene.sandbox.search.QueryProfilerIndexSearcher;
import org.apache.lucene.sandbox.search.QueryProfilerResult;
import org.jspecify.annotations.Nullable;

/// Where the time of a query phase went: Lucene's profiler, in Elasticsearch's shape.
final class Profile {
  /// What Elasticsearch tells of each query.
  private static final List<String> PARTS =
      List.of(
          "advance",
          "build_scorer",
          "compute_max_score",
          "count_weight",
          "create_weight",
          "match",
          "next_doc",
          "score",
          "set_min_competitive_score",
          "shallow_advance");

  private Profile() {}

  static ShardResult run(
      SearchSource source, QueryContext context, ShardScope scope, BooleanSupplier isTimeOver)
      throws IOException {
    Timed searcher = new Timed(context);
    QueryContext profiled = context.over(searcher);
    ShardResult result = QueryPhase.plain(source, profiled, scope, isTimeOver);
    return result.with(Map.of(), searcher.toJson(source, context.times()));
  }

  /// A searcher that measures.
  private static final class Timed extends QueryProfilerIndexSearcher {
    Timed(QueryContext context) {
      super(context.searcher().getIndexReader());
      setSimilarity(context.searcher().getSimilarity());
      setQueryCache(null);
    }

    ObjectNode toJson(SearchSource source, @Nullable AggregationTimes times) {
      ObjectNode search = Json.object();
      ArrayNode queries = search.putArray("query");
      long nanos = 0;
      for (QueryProfilerResult root : getProfileResult()) {
        queries.add(Profile.json(root));
        nanos += root.getTotalTime();
      }
      search.put("rewrite_time", getRewriteTime());
      ObjectNode collector = search.putArray("collector").addObject();
      boolean isCount = source.hitsOfShard() == 0;
      collector.put(
          "name",
          isCount
              ? "TotalHitCountCollector"
              : source.isByScore() ? "TopScoreDocCollector" : "TopFieldCollector");
      collector.put("reason", isCount ? "search_count" : "search_top_hits");
      collector.put("time_in_nanos", nanos);
      ObjectNode shard = Json.object();
      shard.putArray("searches").add(search);
      shard.set("aggregations", times == null ? Json.MAPPER.createArrayNode() : times.toJson());
      return shard;
    }
  }

  private static ObjectNode json(QueryProfilerResult result) {
    ObjectNode node = Json.object();
    node.put("type", result.getQueryName());
    node.put("description", result.getDescription());
    node.put("time_in_nanos", result.getTotalTime());
    ObjectNode breakdown = node.putObject("breakdown");
    for (String part : PARTS) { // also those that took no time: clients count on them
      breakdown.put(part, 0L).put(part + "_count", 0L);
    }
    result.getTimeBreakdown().forEach(breakdown::put);
    if (!result.getProfiledChildren().isEmpty()) {
      ArrayNode children = node.putArray("children");
      result.getProfiledChildren().forEach(child -> children.add(json(child)));
    }
    return node;
  }
}
