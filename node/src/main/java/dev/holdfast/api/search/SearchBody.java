package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A search as the URL and the body ask for it together: query parameters become members of the
/// body, where they win.
public final class SearchBody {
  static final List<String> PARAMETERS =
      List.of(
          "allow_partial_search_results",
          "analyze_wildcard",
          "analyzer",
          "batched_reduce_size",
          "ccs_minimize_roundtrips",
          "default_operator",
          "df",
          "docvalue_fields",
          "explain",
          "force_synthetic_source",
          "from",
          "ignore_throttled",
          "ignore_unavailable",
          "allow_no_indices",
          "expand_wildcards",
          "include_named_queries_score",
          "lenient",
          "max_concurrent_shard_requests",
          "pre_filter_shard_size",
          "preference",
          "q",
          "request_cache",
          "rest_total_hits_as_int",
          "routing",
          "search_type",
          "seq_no_primary_term",
          "size",
          "sort",
          "_source",
          "_source_excludes",
          "_source_includes",
          "_source_exclude_vectors",
          "stats",
          "stored_fields",
          "suggest_field",
          "suggest_mode",
          "suggest_size",
          "suggest_text",
          "terminate_after",
          "timeout",
          "track_scores",
          "track_total_hits",
          "typed_keys",
          "version");

  /// Parameters that say how `q` is read.
  private static final List<String> QUERY_STRING_OPTIONS =
      List.of("df", "analyzer", "lenient", "analyze_wildcard", "default_operator");

  private static final List<String> SUGGESTION_OPTIONS =
      List.of("suggest_text", "suggest_size", "suggest_mode");

  /// The `search_type` that scores by the statistics of all shards.
  static final String GATHERING = "dfs_query_then_fetch";

  /// Of the URL only: other nodes hear of it in the body.
  private static final String NAMED_SCORES = "include_named_queries_score";

  /// Corrections of a word when `suggest_size` does not say.
  private static final int SUGGESTIONS = 5;

  private SearchBody() {}

  /// `q` and its companions, and `sort`: for requests that search among other things.
  ///
  /// @throws Refusal for companions without `q`
  public static void queryAndSort(ApiRequest request, ObjectNode body) {
    if (request.has("q")) {
      query(request, body);
    } else {
      requireNoQueryStringOptions(request);
    }
    sort(request, body);
  }

  /// The body with what the URL says.
  static ObjectNode body(ApiRequest request, ObjectNode body) {
    if (body.has(NAMED_SCORES)) {
      throw new Refusal(
              ErrorType.PARSING, "Unknown key for a VALUE_BOOLEAN in [" + NAMED_SCORES + "].")
          .at(MemberLocation.ofValue(body, NAMED_SCORES));
    }
    for (String number : List.of("from", "size", "terminate_after")) {
      if (request.has(number)) {
        body.put(number, request.integer(number, 0));
      }
    }
    for (String flag :
        List.of("explain", "version", "seq_no_primary_term", "track_scores", NAMED_SCORES)) {
      if (request.has(flag)) {
        body.put(flag, request.flag(flag, false));
      }
    }
    if (request.has("timeout")) {
      body.put("timeout", request.required("timeout"));
    }
    requireSearchType(request.text("search_type"));
    if (request.has("search_type") && body.has("knn")) {
      throw Refusal.badArgument(
          "cannot set [search_type] when using [knn] search, since the search type is determined"
              + " automatically");
    }
    trackTotalHits(request, body);
    sort(request, body);
    source(request, body);
    lists(request, body);
    suggest(request, body);
    if (request.has("q")) {
      query(request, body);
    } else {
      requireNoQueryStringOptions(request);
    }
    requireTotalsFit(request, body);
    return body;
  }

  private static void trackTotalHits(ApiRequest request, ObjectNode body) {
    String value = request.text("track_total_hits");
    if (value != null) {
      switch (value) {
        case "true" -> body.put("track_total_hits", true);
        case "false" -> body.put("track_total_hits", false);
        default -> body.put("track_total_hits", request.integer("track_total_hits", 0));
      }
    }
  }

  static void sort(ApiRequest request, ObjectNode body) {
    if (request.has("sort")) {
      ArrayNode sort = body.putArray("sort");
      for (String part : request.list("sort")) {
        int colon = part.lastIndexOf(':');
        if (colon > 0) {
          sort.addObject()
              .putObject(part.substring(0, colon))
              .put("order", part.substring(colon + 1));
        } else {
          sort.add(part);
        }
      }
    }
  }

  private static void source(ApiRequest request, ObjectNode body) {
    List<String> includes = request.list("_source_includes");
    List<String> excludes = request.list("_source_excludes");
    String source = request.text("_source");
    boolean isHidden = source != null && source.equals("false");
    if (!isHidden && (!includes.isEmpty() || !excludes.isEmpty())) {
      ObjectNode filter = body.putObject("_source");
      ArrayNode in = filter.putArray("includes");
      boolean arePaths = source != null && !source.equals("true");
      (arePaths && includes.isEmpty() ? request.list("_source") : includes).forEach(in::add);
      ArrayNode out = filter.putArray("excludes");
      excludes.forEach(out::add);
    } else if (source != null) {
      if (source.equals("true") || source.equals("false")) {
        body.put("_source", source.equals("true"));
      } else {
        ArrayNode in = body.putArray("_source");
        request.list("_source").forEach(in::add);
      }
    }
    excludeVectors(request, body);
  }

  /// @param type null for the usual one
  static void requireSearchType(@Nullable String type) {
    if (type != null && !List.of("query_then_fetch", GATHERING).contains(type)) {
      throw Refusal.badArgument("No search type for [" + type + "]");
    }
  }

  private static void excludeVectors(ApiRequest request, ObjectNode body) {
    JsonNode shown = body.get("_source");
    boolean isHidden = shown != null && shown.isBoolean() && !shown.asBoolean();
    if (!request.has("_source_exclude_vectors") || isHidden) {
      return;
    }
    ObjectNode filter = shown instanceof ObjectNode given ? given : Json.object();
    if (shown != null && !shown.isBoolean() && !shown.isObject()) {
      filter.set("includes", shown);
    }
    body.set(
        "_source", filter.put("exclude_vectors", request.flag("_source_exclude_vectors", true)));
  }

  private static void lists(ApiRequest request, ObjectNode body) {
    for (String name : List.of("stored_fields", "docvalue_fields", "stats")) {
      if (request.has(name)) {
        ArrayNode fields = body.putArray(name);
        request.list(name).forEach(fields::add);
      }
    }
  }

  /// `suggest_field` and what goes with it: corrections of a text's words by those of a field.
  private static void suggest(ApiRequest request, ObjectNode body) {
    String field = request.text("suggest_field");
    if (field == null) {
      requireNone(request, SUGGESTION_OPTIONS, "'suggest_field' parameter.");
      return;
    }
    ObjectNode one = body.withObject("/suggest").putObject(field);
    String text = request.text("suggest_text", request.text("q", ""));
    ObjectNode term = one.put("text", text).putObject("term").put("field", field);
    term.put("size", request.integer("suggest_size", SUGGESTIONS));
    term.put("suggest_mode", request.text("suggest_mode", "missing"));
  }

  /// @throws Refusal when the request says how `q` is read, and has none
  private static void requireNoQueryStringOptions(ApiRequest request) {
    requireNone(request, QUERY_STRING_OPTIONS, "query string parameter 'q'.");
  }

  /// What a request asks for whose body has nothing but a query: that of the body, where there is
  /// one, or else that of `q`.
  ///
  /// @param isRead whether `q` may stand beside a body, which goes before it
  /// @return null for neither
  /// @throws Refusal when the URL says how a query is read that is in the body, or how none is
  static @Nullable JsonNode bodyOrQ(ApiRequest request, ObjectNode body, boolean isRead) {
    if (request.body().isEmpty() && request.has("q")) {
      query(request, body);
    }
    JsonNode query = body.remove("query");
    if (!body.isEmpty()) {
      String unknown = body.fieldNames().next();
      throw new Refusal(ErrorType.PARSING, "request does not support [" + unknown + "]")
          .at(MemberLocation.ofName(body, unknown));
    }
    if (!request.body().isEmpty()) {
      requireUnread(request, isRead);
    } else if (!request.has("q")) {
      requireNoQueryStringOptions(request);
    }
    return query;
  }

  /// Refuses the parameters of `q` where nothing reads them.
  ///
  /// @param isRead whether `q` itself is read
  static void requireUnread(ApiRequest request, boolean isRead) {
    List<String> given =
        Stream.concat(QUERY_STRING_OPTIONS.stream(), isRead ? Stream.empty() : Stream.of("q"))
            .filter(request::has)
            .sorted()
            .map(name -> "[" + name + "]")
            .toList();
    if (!given.isEmpty()) {
      throw Refusal.badArgument(
          "request ["
              + request.path()
              + "] contains unrecognized parameter"
              + (given.size() > 1 ? "s: " : ": ")
              + String.join(", ", given));
    }
  }

  private static void requireNone(ApiRequest request, List<String> options, String missing) {
    List<String> given = options.stream().filter(request::has).toList();
    if (!given.isEmpty()) {
      throw Refusal.badArgument(
          "request ["
              + request.path()
              + "] contains parameters "
              + given
              + " but missing "
              + missing);
    }
  }

  private static void query(ApiRequest request, ObjectNode body) {
    ObjectNode query = Json.object();
    query.put("query", request.required("q"));
    if (request.has("df")) {
      query.put("default_field", request.required("df"));
    }
    if (request.has("default_operator")) {
      query.put("default_operator", request.required("default_operator"));
    }
    if (request.has("analyzer")) {
      query.put("analyzer", request.required("analyzer"));
    }
    if (!request.text("lenient", "").isEmpty()) {
      query.put("lenient", request.flag("lenient", false));
    }
    if (request.has("analyze_wildcard")) {
      query.put("analyze_wildcard", request.flag("analyze_wildcard", false));
    }
    body.putObject("query").set("query_string", query);
  }

  private static void requireTotalsFit(ApiRequest request, ObjectNode body) {
    if (request.flag("rest_total_hits_as_int", false)) {
      requireExactTotals(body);
    }
  }

  /// Totals that are shown as plain numbers are exact.
  static void requireExactTotals(ObjectNode body) {
    JsonNode upTo = body.get("track_total_hits");
    if (upTo == null) {
      body.put("track_total_hits", true);
    } else if (upTo.isNumber() && upTo.asInt() >= 0) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate,"
              + " got "
              + upTo);
    }
  }
}
