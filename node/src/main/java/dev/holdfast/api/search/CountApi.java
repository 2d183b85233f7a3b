package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.search.lookup.QueryLookups;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.search.Searches;
import dev.holdfast.search.coordination.SearchManner;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.Refusal;
import java.util.List;

/// `GET|POST /_count`, `/{index}/_count`.
public final class CountApi implements Api {
  public static final List<String> PARAMETERS =
      List.of(
          "allow_no_indices",
          "analyze_wildcard",
          "analyzer",
          "default_operator",
          "df",
          "expand_wildcards",
          "ignore_throttled",
          "ignore_unavailable",
          "lenient",
          "min_score",
          "preference",
          "q",
          "routing",
          "stats",
          "terminate_after");

  private final Metadata metadata;
  private final Searches searches;
  private final QueryLookups lookups;

  public CountApi(Metadata metadata, Searches searches) {
    this.metadata = metadata;
    this.searches = searches;
    this.lookups = new QueryLookups(metadata, searches);
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    int limit = limit(request);
    SearchResponse response = count(request, request.body().object());
    return Answer.of(out -> {
      out.writeStartObject();
      if (limit > 0) {
        out.writeBooleanField("terminated_early", response.isTerminatedEarly());
      }
      out.writeNumberField("count", Math.max(0, response.total()));
      out.writeObjectFieldStart("_shards");
      out.writeNumberField("total", response.shards());
      out.writeNumberField("successful", response.shards() - response.failedShards());
      out.writeNumberField("skipped", 0);
      out.writeNumberField("failed", response.failedShards());
      if (response.failedShards() > 0) {
        out.writePOJOField("failures", response.shardFailures());
      }
      out.writeEndObject();
      out.writeEndObject();
    });
  }

  /// Counts what the request and its body ask for.
  public SearchResponse count(ApiRequest request, ObjectNode body) throws Exception {
    JsonNode query = SearchBody.bodyOrQ(request, body, false);
    lookups.resolve(query, request.text("index", ""));
    int limit = limit(request);
    String minScore = request.text("min_score");
    SearchSource source =
        SearchParser.counting(
            query, limit, minScore == null ? null : (Float) request.decimal("min_score", minScore));
    List<ShardTarget> targets =
        SearchTargets.of(
            metadata.current(),
            request.text("index", ""),
            IndexExpression.Options.SEARCH.of(request),
            request.text("routing"),
            request.text("preference"),
            null);
    return searches.searchShards(
        targets, source, SearchManner.of(request.text("preference", "")), request.isCancelled());
  }

  private static int limit(ApiRequest request) {
    int limit = request.integer("terminate_after", 0);
    if (limit < 0) {
      throw Refusal.badArgument("terminateAfter must be > 0");
    }
    return limit;
  }
}
