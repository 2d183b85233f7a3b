package dev.holdfast.api.search;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.search.lookup.QueryLookups;
import dev.holdfast.api.stats.SearchUsage;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.http.RequestPieces;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.search.Searches;
import dev.holdfast.search.coordination.SearchManner;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// `GET|POST /_msearch`, `/{index}/_msearch`: pairs of header and search, one a line; each that
/// fails does so alone, unless it cannot be read.
public final class MultiSearchApi implements Api {
  public static final List<String> PARAMETERS =
      List.of(
          "allow_no_indices",
          "ccs_minimize_roundtrips",
          "expand_wildcards",
          "ignore_throttled",
          "ignore_unavailable",
          "include_named_queries_score",
          "max_concurrent_searches",
          "max_concurrent_shard_requests",
          "pre_filter_shard_size",
          "project_routing",
          "rest_total_hits_as_int",
          "routing",
          "search_type",
          "typed_keys",
          "index");

  /// What the header of a search may say.
  private static final Set<String> HEADER =
      Set.of(
          "allow_no_indices",
          "allow_partial_search_results",
          "ccs_minimize_roundtrips",
          "expand_wildcards",
          "ignore_throttled",
          "ignore_unavailable",
          "index",
          "indices",
          "preference",
          "request_cache",
          "routing",
          "search_type");

  /// Searches of one request that run at once when it does not say.
  private static final int CONCURRENT_DEFAULT = 10;

  /// The same, whatever it says: others would wait for all of them.
  private static final int CONCURRENT_MAX = 32;

  /// Searches of one request.
  private static final int SEARCHES_MAX = 10_000;

  private final World world;
  private final Metadata metadata;
  private final Searches searches;
  private final Bodies bodies;
  private final QueryLookups lookups;
  private final SearchUsage usage;

  /// @param usage counts what clients search by
  public MultiSearchApi(World world, Metadata metadata, Searches searches, SearchUsage usage) {
    this(world, metadata, searches, usage, line -> line);
  }

  /// @param bodies makes a search of what a line says
  public MultiSearchApi(
      World world, Metadata metadata, Searches searches, SearchUsage usage, Bodies bodies) {
    this.usage = usage;
    this.bodies = bodies;
    this.lookups = new QueryLookups(metadata, searches);
    this.world = world;
    this.metadata = metadata;
    this.searches = searches;
  }

  /// Makes a search body of what a line says.
  @FunctionalInterface
  public interface Bodies {
    ObjectNode of(ObjectNode line);

    /// Refuses the whole request for what a line says.
    default void check(ObjectNode line, boolean totalAsInteger) {
      if (totalAsInteger) {
        SearchBody.requireExactTotals(line);
      }
    }
  }

  /// One search as it was asked for: a line of how, a line of what.
  private record One(JsonNode header, ObjectNode body) {}

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    long start = world.clock().nanoTime();
    boolean totalAsInteger = request.flag("rest_total_hits_as_int", false);
    boolean typedKeys = request.flag("typed_keys", false);
    int concurrent = request.integer("max_concurrent_searches", CONCURRENT_DEFAULT);
    if (concurrent < 1) {
      throw Refusal.badArgument("maxConcurrentSearchRequests must be positive");
    }
    SearchBody.requireSearchType(request.text("search_type"));
    List<One> asked = read(request.body());
    asked.forEach(one -> requireKnown(one.header(), request));
    asked.forEach(one -> bodies.check(one.body(), totalAsInteger));
    List<Callable<SearchResponse>> pieces = new ArrayList<>(asked.size());
    for (One one : asked) {
      pieces.add(RequestPieces.of(() -> search(request, one)));
    }
    List<FanOut.Outcome<SearchResponse>> outcomes =
        FanOut.of(world, "msearch").atOnce(Math.min(concurrent, CONCURRENT_MAX)).outcomes(pieces);
    for (FanOut.Outcome<SearchResponse> outcome : outcomes) {
      if (outcome instanceof FanOut.Failed<SearchResponse>(Unreadable unreadable)) {
        throw unreadable.refusal;
      }
    }
    long tookMillis = (world.clock().nanoTime() - start) / 1_000_000;
    return Answer.of(out -> {
      out.writeStartObject();
      out.writeNumberField("took", tookMillis);
      out.writeArrayFieldStart("responses");
      for (FanOut.Outcome<SearchResponse> outcome : outcomes) {
        write(out, outcome, totalAsInteger, typedKeys);
      }
      out.writeEndArray();
      out.writeEndObject();
    });
  }

  private static void write(
      JsonGenerator out,
      FanOut.Outcome<SearchResponse> outcome,
      boolean totalAsInteger,
      boolean typedKeys)
      throws IOException {
    out.writeStartObject();
    switch (outcome) {
      case FanOut.Done<SearchResponse>(SearchResponse response) -> {
        response.write(out, totalAsInteger, typedKeys);
        out.writeNumberField("status", 200);
      }
      case FanOut.Failed<SearchResponse>(Throwable why) -> failed(out, ErrorBody.refusal(why));
      case FanOut.Late<SearchResponse> _ ->
          failed(out, new Refusal(ErrorType.INTERNAL, "a search took too long"));
    }
    out.writeEndObject();
  }

  private static void failed(JsonGenerator out, Refusal refusal) throws IOException {
    out.writeFieldName("error");
    ErrorBody.write(out, refusal, false);
    out.writeNumberField("status", refusal.status());
  }

  private SearchResponse search(ApiRequest request, One one) throws Exception {
    JsonObject header = JsonObject.of("msearch", one.header());
    String indices = indices(header, request);
    IndexExpression.Options options = options(header, request);
    String routing = routing(header, request);
    String preference = header.string("preference");
    SearchManner manner =
        new SearchManner(
            preference == null ? "" : preference,
            header.has("request_cache") ? (Boolean) header.bool("request_cache", false) : null);
    ObjectNode body = bodies.of(one.body());
    SearchUsage.Search used = usage.search(body, true);
    if (request.has("include_named_queries_score")) {
      body.put("include_named_queries_score", request.flag("include_named_queries_score", false));
    }
    if (request.flag("rest_total_hits_as_int", false)) {
      SearchBody.requireExactTotals(body);
    }
    lookups.resolve(body, indices);
    String type = header.string("search_type", request.text("search_type", ""));
    SearchResponse all =
        FusedRetriever.run(
            body,
            part -> {
              // What cannot be read spoils the whole request, whether or not its index is there.
              SearchSource source =
                  IndexBoosts.resolve(parse(part, used), metadata.current(), options)
                      .gatheringStatistics(type.equals(SearchBody.GATHERING));
              used.count();
              List<ShardTarget> targets =
                  SearchTargets.of(metadata.current(), indices, options, routing, preference, null);
              SearchResponse response =
                  searches.searchShards(targets, source, manner, request.isCancelled());
              RequestMemory.add(response.heldBytes());
              return response;
            });
    PartialResults.requireWanted(PartialResults.asked(header), metadata.current(), all);
    return all;
  }

  /// The indices that a header names, else those of the URL.
  private static String indices(JsonObject header, ApiRequest request) {
    String names = String.join(",", header.strings(header.has("indices") ? "indices" : "index"));
    return names.isEmpty() ? request.text("index", "") : names;
  }

  /// One routing, or a list of some; an empty list is none.
  private static @Nullable String routing(JsonObject header, ApiRequest request) {
    List<String> given = header.strings("routing");
    return given.isEmpty() ? request.text("routing") : String.join(",", given);
  }

  /// What a header says about missing indices and wildcards, else the URL.
  private static IndexExpression.Options options(JsonObject header, ApiRequest request) {
    IndexExpression.Options asked = IndexExpression.Options.SEARCH.of(request);
    List<String> expands = header.strings("expand_wildcards");
    IndexExpression.Options expanded =
        expands.isEmpty() ? asked : asked.expanding(String.join(",", expands).split(","));
    return new IndexExpression.Options(
        header.bool("ignore_unavailable", asked.ignoreUnavailable()),
        header.bool("allow_no_indices", asked.allowNone()),
        expanded.expandOpen(),
        expanded.expandClosed(),
        expanded.expandHidden(),
        expanded.allowClosed());
  }

  private static SearchSource parse(ObjectNode body, SearchUsage.Search used) {
    try {
      return SearchParser.parse(body, used::query);
    } catch (Refusal e) {
      throw new Unreadable(e);
    }
  }

  /// A search that cannot be read: the whole request is refused for it.
  private static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Refusal refusal;

    Unreadable(Refusal refusal) {
      super(refusal);
      this.refusal = refusal;
    }
  }

  /// A header that says what no search reads makes the whole request malformed.
  private static void requireKnown(JsonNode header, ApiRequest request) {
    if (!header.isObject()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "a line of the metadata section must be an object, found " + JsonObject.token(header));
    }
    for (var member : header.properties()) {
      if (!HEADER.contains(member.getKey())) {
        throw Refusal.badArgument(
            "key [" + member.getKey() + "] is not supported in the metadata section");
      }
      if (member.getValue().isNull() && member.getKey().startsWith("ind")) {
        throw new Refusal(ErrorType.PARSE, "Expected a list of strings but got null");
      }
    }
    JsonObject read = JsonObject.of("msearch", header);
    var _ = options(read, request);
    var _ = indices(read, request);
    var _ = routing(read, request);
    var _ = read.string("preference");
    var _ = read.bool("request_cache", false);
    var _ = PartialResults.asked(read);
    JsonNode type = header.path("search_type");
    SearchBody.requireSearchType(
        type.isMissingNode() || type.isNull()
            ? null
            : type.isValueNode() ? type.asText() : type.toString());
  }

  private static List<One> read(RequestBody body) {
    body.askForTree();
    List<One> all = new ArrayList<>();
    byte[] bytes = body.bytes();
    int end = body.offset() + body.length();
    int position = body.offset();
    JsonNode header = null;
    while (position < end) {
      int newline = position;
      while (newline < end && bytes[newline] != '\n') {
        newline++;
      }
      boolean isBlank =
          new String(bytes, position, newline - position, StandardCharsets.UTF_8).isBlank();
      if (header == null) {
        // An empty header line stands for an empty header.
        header = isBlank ? Json.object() : Json.parseGiven(bytes, position, newline - position);
      } else if (!isBlank) {
        all.add(new One(header, Json.parseRequest(bytes, position, newline - position)));
        header = null;
        if (all.size() > SEARCHES_MAX) {
          break; // and refused
        }
      }
      position = newline + 1;
    }
    boolean isEnded = body.isEmpty() || bytes[end - 1] == '\n';
    if (!isEnded || (header != null && !header.isEmpty())) {
      throw Refusal.badArgument("The msearch request must be terminated by a newline [\\n]");
    }
    if (all.isEmpty() || all.size() > SEARCHES_MAX) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          all.isEmpty()
              ? "Validation Failed: 1: no requests added;"
              : "Validation Failed: 1: too many searches [max=" + SEARCHES_MAX + "];");
    }
    return all;
  }
}
