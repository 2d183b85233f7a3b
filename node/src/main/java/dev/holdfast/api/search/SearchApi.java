package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.search.lookup.QueryLookups;
import dev.holdfast.api.stats.SearchUsage;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.query.QueryClause;
import dev.holdfast.query.parse.Queries;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.search.Searches;
import dev.holdfast.search.coordination.SearchManner;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `GET|POST /_search`, `/{index}/_search`: a search of the newest commits, of a point in time, or
/// the first page of a scroll.
public final class SearchApi implements Api {
  public static final List<String> PARAMETERS = parameters();

  private final Metadata metadata;
  private final Searches searches;
  private final Scrolls scrolls;
  private final QueryLookups lookups;
  private final SearchUsage usage;

  /// @param usage counts what clients search by
  public SearchApi(Metadata metadata, Searches searches, SearchUsage usage) {
    this.metadata = metadata;
    this.searches = searches;
    this.usage = usage;
    this.scrolls = new Scrolls(metadata, searches);
    this.lookups = new QueryLookups(metadata, searches);
  }

  private static List<String> parameters() {
    List<String> all = new ArrayList<>(SearchBody.PARAMETERS);
    all.add("scroll");
    return List.copyOf(all);
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    requireAtLeast(request, "batched_reduce_size", "batchedReduceSize", 2);
    requireAtLeast(request, "pre_filter_shard_size", "preFilterShardSize", 1);
    requireAtLeast(request, "max_concurrent_shard_requests", "maxConcurrentShardRequests", 1);
    ObjectNode body = request.body().object();
    SearchUsage.Search used = usage.search(body, !request.body().isEmpty());
    PointInTime pit = PointInTime.take(body, request);
    ShardTarget.Slice slice = SearchSlices.parse(body.remove("slice"));
    String searched = pit == null ? request.text("index", "") : pit.indices();
    if (request.has("q") && body.has("query")) {
      requireQuery(body, searched);
    }
    ObjectNode whole = SearchBody.body(request, body);
    lookups.resolve(whole, searched);
    if (slice != null && pit == null && !request.has("scroll")) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: [slice] can only be used with [scroll] or [point-in-time]"
              + " requests;");
    }
    SearchSlices.requireWhole(slice);
    if (request.has("scroll")) {
      return scroll(request, whole, slice, used);
    }
    if (pit != null) {
      PointInTime.addTiebreak(whole);
    }
    SearchResponse response = search(request, whole, pit, slice, used);
    PartialResults.requireWanted(PartialResults.asked(request), metadata.current(), response);
    boolean totalAsInteger = request.flag("rest_total_hits_as_int", false);
    boolean typedKeys = request.flag("typed_keys", false);
    return Answer.of(out -> {
      out.writeStartObject();
      if (pit != null) {
        out.writeStringField("pit_id", pit.text());
      }
      response.write(out, totalAsInteger, typedKeys);
      out.writeEndObject();
    });
  }

  /// A query that `q` takes the place of is read nevertheless, so that a wrong one is not taken.
  private void requireQuery(ObjectNode body, String searched) throws IOException {
    ObjectNode replaced = Json.object();
    replaced.set("query", body.get("query").deepCopy());
    lookups.resolve(replaced, searched);
    QueryClause _ = Queries.parse(replaced.get("query"));
  }

  private static boolean isGathering(ApiRequest request) {
    return request.text("search_type", "").equals(SearchBody.GATHERING);
  }

  private static void requireAtLeast(ApiRequest request, String parameter, String name, int least) {
    if (request.integer(parameter, least) < least) {
      throw Refusal.badArgument(name + " must be >= " + least);
    }
  }

  private SearchResponse search(
      ApiRequest request,
      ObjectNode body,
      @Nullable PointInTime pit,
      ShardTarget.@Nullable Slice slice,
      SearchUsage.Search used)
      throws IOException, InterruptedException {
    return FusedRetriever.run(body, part -> searchOnce(request, part, pit, slice, used));
  }

  private SearchResponse searchOnce(
      ApiRequest request,
      ObjectNode body,
      @Nullable PointInTime pit,
      ShardTarget.@Nullable Slice slice,
      SearchUsage.Search used)
      throws IOException, InterruptedException {
    ClusterState state = metadata.current();
    IndexExpression.Options options = IndexExpression.Options.SEARCH.of(request);
    SearchSource source =
        IndexBoosts.resolve(SearchParser.parse(body, used::query), state, options)
            .gatheringStatistics(isGathering(request));
    used.count();
    List<ShardTarget> targets = pit != null ? pit.targets(slice) : targets(request, options, null);
    SearchResponse response =
        searches.searchShards(targets, source, manner(request), request.isCancelled());
    RequestMemory.add(response.heldBytes());
    return response;
  }

  /// Scores of a search that gathers statistics first are never kept.
  static SearchManner manner(ApiRequest request) {
    boolean gathers = isGathering(request);
    Boolean wish =
        request.has("request_cache") ? (Boolean) request.flag("request_cache", false) : null;
    return new SearchManner(request.text("preference", ""), gathers ? Boolean.FALSE : wish);
  }

  private List<ShardTarget> targets(
      ApiRequest request, IndexExpression.Options options, ShardTarget.@Nullable Slice slice) {
    return SearchTargets.of(
        metadata.current(),
        request.text("index", ""),
        options,
        request.text("routing"),
        request.text("preference"),
        slice);
  }

  private Answer scroll(
      ApiRequest request,
      ObjectNode body,
      ShardTarget.@Nullable Slice slice,
      SearchUsage.Search used)
      throws IOException, InterruptedException {
    Duration keepAlive = Scrolls.keepAlive("scroll", request.required("scroll"));
    List<String> faults = ScrollFaults.of(body);
    if (request.flag("request_cache", false)) {
      faults.add("[request_cache] cannot be used in a scroll context");
    }
    ScrollFaults.requireNone(faults);
    IndexExpression.Options options = IndexExpression.Options.SEARCH.of(request);
    SearchSlices.requireAllowed(
        slice, IndexExpression.resolve(metadata.current(), request.text("index", ""), options));
    List<ShardTarget> targets = targets(request, options, slice);
    SearchSource _ = SearchParser.parse(body.deepCopy().put("track_total_hits", true), used::query);
    used.count();
    Scrolls.Page page =
        scrolls.begin(targets, body, isGathering(request), keepAlive, request.isCancelled());
    try {
      PartialResults.requireWanted(
          PartialResults.asked(request), metadata.current(), page.response());
    } catch (Refusal e) {
      int _ = scrolls.clear(List.of(page.scrollId()));
      throw e;
    }
    return ScrollApi.answer(page, request);
  }
}
