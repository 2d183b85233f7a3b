package dev.holdfast.query.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.MadeField;
import dev.holdfast.document.TimeSpan;
import dev.holdfast.query.MatchNoneClause;
import dev.holdfast.query.QueryReader;
import dev.holdfast.query.UnsupportedFeatures;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.clause.vector.KnnSearchClause;
import dev.holdfast.query.highlight.HighlightRequest;
import dev.holdfast.query.request.Collapse;
import dev.holdfast.query.request.HitParts;
import dev.holdfast.query.request.HitParts.FieldRequest;
import dev.holdfast.query.request.IndexBoost;
import dev.holdfast.query.request.Rescore;
import dev.holdfast.query.request.SearchExtras;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.script.ScriptField;
import dev.holdfast.query.sort.SortSpec;
import dev.holdfast.query.source.SourceFilter;
import dev.holdfast.query.suggest.SuggestRequest;
import dev.holdfast.query.suggest.Suggesters;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.MemberLocation;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads search bodies.
final class SearchSourceReader {
  private static final List<String> KNOWN =
      List.of(
          "query",
          "post_filter",
          "from",
          "size",
          "sort",
          "search_after",
          "_source",
          "stored_fields",
          "fields",
          "docvalue_fields",
          "script_fields",
          "explain",
          "version",
          "seq_no_primary_term",
          "track_total_hits",
          "track_scores",
          "indices_boost",
          "min_score",
          "terminate_after",
          "timeout",
          "aggs",
          "aggregations",
          "stats",
          "profile",
          "highlight",
          "suggest",
          "rescore",
          "collapse",
          "include_named_queries_score",
          "knn",
          "retriever",
          "ext",
          "runtime_mappings");

  private static final QueryReader QUERIES = Queries.reader();

  private final JsonObject body;

  /// Reads what documents are found by.
  private final QueryReader heard;

  /// Fields that stand for scripts of the body.
  private final SortedMap<String, MadeField> made = new TreeMap<>();

  /// Whether it is a request of its own: hits within an answer are checked for less.
  private final boolean isWhole;

  private SearchSourceReader(JsonObject body, boolean isWhole, Consumer<String> seen) {
    this.body = body;
    this.heard = QUERIES.heardBy(seen);
    this.isWhole = isWhole;
  }

  static SearchSource read(ObjectNode given, Consumer<String> seen) {
    TopHitsFields.inherit(given);
    return read(given, true, seen);
  }

  /// Hits within an answer: what only whole requests are checked for is not.
  static SearchSource readPart(ObjectNode given) {
    return read(given, false, _ -> {});
  }

  private static SearchSource read(ObjectNode given, boolean isWhole, Consumer<String> seen) {
    SearchTokens.check(given);
    ObjectNode node = Retriever.resolved(given);
    JsonObject body = JsonObject.ofValues("search", node);
    SearchSource source = new SearchSourceReader(body, isWhole, seen).read();
    if (!body.rest().isEmpty()) {
      throw unknown(body.rest().getFirst(), node);
    }
    return source;
  }

  private SearchSource read() {
    int from = window("from", 0);
    int size = window("size", SearchSource.SIZE_DEFAULT);
    JsonNode query = body.take("query");
    JsonNode postFilter = body.take("post_filter");
    List<SortSpec> sorts = sorts(body.take("sort"));
    JsonNode stored = body.take("stored_fields");
    JsonNode shown = body.take("_source");
    boolean isName = shown != null && shown.isTextual(); // "true" is a field's name, too
    SourceFilter filter =
        SourceFilter.parse(isName ? Json.MAPPER.createArrayNode().add(shown) : shown, stored);
    List<ScriptField> scripted = ScriptField.parseAll(body.take("script_fields"));
    if (!scripted.isEmpty() && stored == null && body.node().path("_source").isMissingNode()) {
      filter = SourceFilter.NONE;
    }
    StoredFieldsRequest storedFields = StoredFieldsRequest.of(stored);
    HitParts parts = parts(storedFields, scripted);
    AggregationTree aggregations = aggregations();
    SearchExtras extras = extras();
    if (isWhole) {
      SearchChecks.requireShowable(body.node(), storedFields);
    }
    SearchChecks.requireSortable(body.node(), extras, sorts);
    List<JsonNode> after = searchAfter(from, sorts);
    JsonNode vectors = body.take("knn");
    JsonNode knn = vectors != null && vectors.isArray() && vectors.isEmpty() ? null : vectors;
    // A body that only suggests has no hits, even if it suggests nothing.
    boolean onlySuggests =
        body.node().path("suggest").isObject()
            && query == null
            && knn == null
            && aggregations.isEmpty();
    return new SearchSource(
        onlySuggests
            ? new MatchNoneClause()
            : knn == null
                ? Queries.parse(query, heard)
                : KnnSearchClause.parse(
                    knn, query, new KnnSearchClause.Reading(heard, SearchParser::parse)),
        postFilter == null ? null : Queries.parse(postFilter, heard),
        from,
        size,
        sorts,
        after,
        filter,
        parts,
        totalHits(body.take("track_total_hits")),
        body.bool("track_scores", false),
        minScore(body.take("min_score")),
        terminateAfter(),
        timeoutMillis(),
        aggregations,
        IndexBoost.parse(body.take("indices_boost")),
        body.strings("stats"),
        extras,
        body.node());
  }

  private long timeoutMillis() {
    String given = body.string("timeout");
    return given == null ? SearchSource.NO_TIMEOUT_GIVEN : TimeSpan.millis("timeout", given);
  }

  private List<SortSpec> sorts(@Nullable JsonNode given) {
    JsonNode plain = given == null ? null : given.deepCopy();
    if (plain != null) {
      made.putAll(ValueScripts.takeSorts(plain));
    }
    return SortSpec.parseAll(plain, QUERIES);
  }

  private SearchExtras extras() {
    noExtensions(body.take("ext"));
    return new SearchExtras(
        Collapse.parse(body.take("collapse"), SearchParser::parse),
        Rescore.parseAll(body.take("rescore"), QUERIES),
        SuggestRequest.parse(body.take("suggest"), Suggesters.ALL, QUERIES),
        body.bool("profile", false),
        body.bool("include_named_queries_score", false),
        runtime(body.take("runtime_mappings")),
        made,
        null);
  }

  /// `ext` is for what plugins add; there are none.
  private static void noExtensions(@Nullable JsonNode ext) {
    if (ext == null) {
      return;
    }
    if (!ext.isObject()) {
      throw parsing("Unknown key for a " + token(ext) + " in [ext].");
    }
    if (!ext.isEmpty()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[ext] has no member [" + ext.fieldNames().next() + "]: there are no plugins");
    }
  }

  private static @Nullable ObjectNode runtime(@Nullable JsonNode given) {
    return switch (given) {
      case null -> null;
      case ObjectNode fields -> fields;
      default -> throw parsing("Unknown key for a " + token(given) + " in [runtime_mappings].");
    };
  }

  private int window(String name, int whenAbsent) {
    int value = body.integer(name, whenAbsent);
    if (value < 0) {
      throw Refusal.badArgument(
          name.equals("size")
              ? "[size] parameter cannot be negative, found [" + value + "]"
              : "[from] parameter cannot be negative but was [" + value + "]");
    }
    return value;
  }

  private int terminateAfter() {
    int value = body.integer("terminate_after", 0);
    if (value < 0) {
      throw Refusal.badArgument("terminateAfter must be > 0");
    }
    return value;
  }

  private @Nullable List<JsonNode> searchAfter(int from, List<SortSpec> sorts) {
    JsonNode after = body.take("search_after");
    if (after == null || after.isNull()) {
      return null;
    }
    if (!after.isArray()) {
      throw parsing("Unknown key for a " + token(after) + " in [search_after].");
    }
    if (after.isEmpty()) {
      throw Refusal.badArgument("Values must contains at least one value.");
    }
    if (from > 0) {
      throw SearchChecks.validation(
          "[from] parameter must be set to 0 when [search_after] is used");
    }
    for (JsonNode value : after) {
      if (value.isContainerNode()) {
        throw parsing(
            "Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found"
                + " ["
                + token(value)
                + "] inside search_after.");
      }
    }
    if (sorts.isEmpty()) {
      throw Refusal.badArgument("Sort must contain at least one field.");
    }
    int fields = sorts.size();
    if (after.size() != fields) {
      throw Refusal.badArgument(
          "search_after has " + after.size() + " value(s) but sort has " + fields + ".");
    }
    List<JsonNode> values = new ArrayList<>();
    after.forEach(values::add);
    return List.copyOf(values);
  }

  private HitParts parts(StoredFieldsRequest stored, List<ScriptField> scripted) {
    return new HitParts(
        !stored.isNone(),
        body.bool("version", false),
        body.bool("seq_no_primary_term", false),
        body.bool("explain", false),
        requests("fields"),
        requests("docvalue_fields"),
        stored.names(),
        scripted,
        HighlightRequest.parse(body.take("highlight"), QUERIES));
  }

  private List<FieldRequest> requests(String name) {
    JsonNode given = body.take(name);
    List<FieldRequest> requests = new ArrayList<>();
    if (given == null) {
      return requests;
    }
    for (JsonNode one : given.isArray() ? given : List.of(given)) {
      boolean isName = one.isTextual() || (given.isArray() && one.isValueNode() && !one.isNull());
      if (isName) {
        requests.add(new FieldRequest(one.asText(), null, false));
      } else {
        JsonObject object = JsonObject.ofKinds("fetch_field_and_format", one);
        String field = object.string("field");
        if (field == null) {
          throw Refusal.badArgument("Required [field]");
        }
        String format = object.stringOrNull("format");
        boolean withUnmapped = object.bool("include_unmapped", false);
        object.done();
        requests.add(
            new FieldRequest(
                field, "use_field_mapping".equals(format) ? null : format, withUnmapped));
      }
    }
    return List.copyOf(requests);
  }

  private static int totalHits(@Nullable JsonNode given) {
    if (given == null || given.isNull()) {
      return SearchSource.TOTAL_HITS_DEFAULT;
    }
    if (given.isBoolean() || given.asText().equals("true") || given.asText().equals("false")) {
      return given.asBoolean() ? Integer.MAX_VALUE : -1;
    }
    if (given.isNumber() && !given.canConvertToInt()) {
      throw new Refusal(
          ErrorType.X_CONTENT_PARSE, "[track_total_hits] out of range: " + given.asText());
    }
    int upTo = given.isNumber() ? given.intValue() : given.asInt(-2);
    if (upTo < -1) {
      if (!given.isNumber() && !given.asText().matches("-?\\d+")) {
        throw new Refusal(ErrorType.NUMBER_FORMAT, "For input string: \"" + given.asText() + "\"");
      }
      throw Refusal.badArgument(
          "[track_total_hits] parameter must be positive or equals to -1, got " + given.asText());
    }
    return upTo;
  }

  private static @Nullable Float minScore(@Nullable JsonNode given) {
    if (given == null || given.isNull()) {
      return null;
    }
    try {
      return given.isNumber() ? given.floatValue() : Float.parseFloat(given.asText());
    } catch (NumberFormatException e) {
      throw new Refusal(ErrorType.NUMBER_FORMAT, String.valueOf(e.getMessage()));
    }
  }

  private AggregationTree aggregations() {
    JsonNode aggs = body.take("aggs");
    JsonNode aggregations = body.take("aggregations");
    if (aggs != null && aggregations != null && !aggs.isEmpty() && !aggregations.isEmpty()) {
      throw parsing("Found two definitions of aggregations, [aggs] and [aggregations]");
    }
    JsonNode given = aggs == null || (aggregations != null && aggs.isEmpty()) ? aggregations : aggs;
    return switch (given) {
      case null -> AggregationTree.NONE;
      case ObjectNode object -> {
        ObjectNode plain = object.deepCopy();
        made.putAll(ValueScripts.take(plain));
        yield Aggregations.parse(plain, Queries::parse);
      }
      default -> throw parsing("Unknown key for a VALUE in [aggs].");
    };
  }

  private static Refusal unknown(String name, ObjectNode node) {
    JsonNode value = node.get(name);
    String message = "Unknown key for a " + token(value) + " in [" + name + "].";
    String reason =
        KNOWN.contains(name) ? message : UnsupportedFeatures.complaint(message, name, KNOWN);
    return parsing(reason).at(MemberLocation.ofValue(node, name));
  }

  private static Refusal parsing(String reason) {
    return new Refusal(ErrorType.PARSING, reason);
  }

  /// The name of the token that a value begins with.
  private static String token(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT, POJO -> "START_OBJECT";
      case ARRAY -> "START_ARRAY";
      case STRING, BINARY -> "VALUE_STRING";
      case NUMBER -> "VALUE_NUMBER";
      case BOOLEAN -> "VALUE_BOOLEAN";
      case NULL, MISSING -> "VALUE_NULL";
    };
  }
}
