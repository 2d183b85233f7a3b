package dev.holdfast.api.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.resolve.IndexBlocks;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.search.lookup.DocumentLookup;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.query.inspection.TermVectorsInspection;
import dev.holdfast.search.Searches;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import dev.holdfast.world.text.JsonMemory;
import dev.holdfast.world.text.JsonTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `GET|POST /{index}/_termvectors/{id}` and `/_mtermvectors`: the terms of documents.
public final class TermVectorsApi {
  public static final List<String> PARAMETERS =
      List.of(
          "fields",
          "field_statistics",
          "offsets",
          "payloads",
          "positions",
          "preference",
          "realtime",
          "routing",
          "term_statistics",
          "version",
          "version_type");

  /// Those of a request for several.
  public static final List<String> OF_SEVERAL = ofSeveral();

  private static final List<String> FLAGS =
      List.of("field_statistics", "offsets", "payloads", "positions", "term_statistics");

  /// Stands for no version that is asked for.
  private static final long VERSION_ANY = -3;

  /// What a version may be compared as; to a reader they mean the same.
  private static final Set<String> VERSION_TYPES =
      Set.of("internal", "external", "external_gt", "external_gte");

  private static final Set<String> FILTER =
      Set.of(
          "max_num_terms",
          "min_term_freq",
          "max_term_freq",
          "min_doc_freq",
          "max_doc_freq",
          "min_word_length",
          "max_word_length");

  private final World world;
  private final Metadata metadata;
  private final Searches searches;
  private final DocumentLookup documents;

  public TermVectorsApi(World world, Metadata metadata, Searches searches) {
    this.world = world;
    this.metadata = metadata;
    this.searches = searches;
    this.documents = new DocumentLookup(metadata, searches);
  }

  private static List<String> ofSeveral() {
    List<String> all = new ArrayList<>(PARAMETERS);
    all.add("ids");
    return List.copyOf(all);
  }

  /// One document.
  public Answer one(ApiRequest request) throws IOException {
    ObjectNode body = request.body().object();
    body.put("_index", request.required("index"));
    if (request.has("id")) {
      body.put("_id", request.required("id"));
    }
    ObjectNode answer = answer(request, body);
    return Answer.of(200, answer);
  }

  /// Several documents.
  public Answer several(ApiRequest request) throws IOException {
    ObjectNode body = request.body().object();
    JsonNode docs = body.remove("docs");
    JsonNode ids = body.remove("ids");
    JsonNode parameters = body.remove("parameters");
    if (!body.isEmpty()) {
      throw new Refusal(
          ErrorType.PARSE,
          "Malformed term vectors request: unknown field [" + body.fieldNames().next() + "]");
    }
    List<String> names = new ArrayList<>(request.list("ids"));
    if (ids != null) {
      for (JsonNode id : ids) {
        if (id.isNull() || id.isContainerNode()) {
          throw Refusal.badArgument("ids array element should only contain ids");
        }
        names.add(id.asText());
      }
    }
    if (parameters != null && !parameters.isObject()) {
      throw new Refusal(
          ErrorType.PARSE, "_mtermvectors: Parameter [parameters] not supported: no object");
    }
    if (names.isEmpty() && (docs == null || docs.isEmpty())) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: multi term vectors: no documents requested;");
    }
    ObjectNode answer = Json.object();
    ArrayNode all = answer.putArray("docs");
    // One after the other: what is asked of all would else be copied for each, all at once.
    if (docs != null) {
      for (JsonNode doc : docs) {
        all.add(held(request, JsonObject.of("docs", doc).node().deepCopy()));
      }
    }
    for (String id : names) {
      ObjectNode one = Json.object();
      if (parameters instanceof ObjectNode given) {
        one.setAll(given);
      }
      all.add(held(request, one.put("_id", id)));
    }
    return Answer.of(200, answer);
  }

  /// The answer about one of several, which is kept until all are there.
  private ObjectNode held(ApiRequest request, ObjectNode one) throws IOException {
    if (!one.has("_index") && request.has("index")) {
      one.put("_index", request.required("index"));
    }
    ObjectNode answer = safely(request, one);
    RequestMemory.add(JsonMemory.of(answer));
    return answer;
  }

  /// What is wrong with one document is told in its place; what is malformed is refused.
  private ObjectNode safely(ApiRequest request, ObjectNode one) throws IOException {
    String index = one.path("_index").asText();
    String id = one.path("_id").asText();
    try {
      return answer(request, one);
    } catch (Refusal e) {
      boolean isOfIndex =
          e.type() == ErrorType.INDEX_CLOSED
              || IndexExpression.targets(metadata.current(), index).size() > 1;
      if (e.status() == 400 && !isOfIndex) {
        throw e;
      }
      ObjectNode failed = Json.object();
      failed.put("_index", index);
      failed.put("_id", id);
      ObjectNode error = failed.putObject("error");
      describe(error.putArray("root_cause").addObject(), e);
      describe(error, e);
      return failed;
    }
  }

  private static void describe(ObjectNode error, Refusal e) {
    error.put("type", e.type().type());
    error.put("reason", e.reason());
    e.metadata().forEach((name, value) -> error.set(name, Json.MAPPER.valueToTree(value)));
  }

  private static void requireFilter(JsonNode filter) {
    if (!filter.isObject()) {
      throw new Refusal(
          ErrorType.PARSE, "failed to parse term vectors request. [filter] must be an object");
    }
    for (var member : filter.properties()) {
      if (!FILTER.contains(member.getKey())) {
        throw new Refusal(
            ErrorType.PARSE,
            "failed to parse term vectors request. the field ["
                + member.getKey()
                + "] is not valid for filter parameter for term vector request");
      }
      int _ = JsonObject.of("filter", filter).integer(member.getKey(), 0);
    }
  }

  private static void requireAnalyzers(JsonNode analyzers) {
    if (!analyzers.isObject()) {
      throw new Refusal(
          ErrorType.PARSE,
          "failed to parse term vectors request. [per_field_analyzer] must be an object");
    }
    for (var member : analyzers.properties()) {
      if (!member.getValue().isTextual()) {
        throw new Refusal(
            ErrorType.PARSE,
            "expecting the analyzer at ["
                + member.getKey()
                + "] to be a String, but found ["
                + member.getValue()
                + "] instead");
      }
    }
  }

  private ObjectNode answer(ApiRequest request, ObjectNode body) throws IOException {
    long start = world.clock().nanoTime();
    JsonObject json = JsonObject.ofValues("term_vectors", body);
    String index = json.required("_index").asText();
    String id = json.string("_id");
    String routing = json.string("routing", request.text("routing", ""));
    JsonNode artificial = json.take("doc");
    if (artificial != null && !artificial.isObject()) {
      throw new Refusal(
          ErrorType.PARSE, "failed to parse term vectors request. [doc] must be an object");
    }
    long version = json.longValue("version", request.longValue("version", VERSION_ANY));
    String versionType = json.string("version_type", request.text("version_type", "internal"));
    if (!VERSION_TYPES.contains(versionType)) {
      throw Refusal.badArgument("No version type match [" + versionType + "]");
    }
    ObjectNode question = Json.object();
    ObjectNode options = question.putObject("options");
    for (String flag : FLAGS) {
      boolean whenAbsent = !flag.equals("term_statistics");
      options.put(flag, json.bool(flag, request.flag(flag, whenAbsent)));
    }
    for (String member : List.of("filter", "per_field_analyzer")) {
      JsonNode given = json.take(member);
      if (given != null) {
        if (member.equals("filter")) {
          requireFilter(given);
        } else {
          requireAnalyzers(given);
        }
        options.set(member, given);
      }
    }
    fields(request, json, question);
    if (!json.rest().isEmpty()) {
      throw new Refusal(
          ErrorType.PARSE,
          "The parameter "
              + json.rest().getFirst()
              + " is not valid in the context of term vectors request");
    }
    ObjectNode answer = Json.object();
    if (artificial != null) {
      IndexMetadata meant = SingleIndex.of(metadata.current(), index, false);
      IndexBlocks.requireReadable(meant);
      options.put("all", true);
      answer.put("_index", meant.id().name());
      answer.put("_version", 0);
      return answered(answer, new ShardId(meant.id(), 0), question, artificial, start);
    }
    if (id == null) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION, "Validation Failed: 1: id or doc is missing;");
    }
    DocumentLookup.Found found =
        documents.find(
            index,
            id,
            routing.isEmpty() ? null : routing,
            json.bool("realtime", request.flag("realtime", true)));
    answer.put("_index", found.index().id().name());
    answer.put("_id", id);
    if (found.document().exists()) {
      requireVersion(found, version, id);
      answer.put("_version", found.document().version());
    } else {
      answer.put("_version", 0);
    }
    byte[] source = found.document().source();
    if (source == null) {
      return answered(answer, found.shard(), question, null, start);
    }
    try (JsonTree content = JsonTree.of(source)) {
      return answered(answer, found.shard(), question, content.root(), start);
    }
  }

  /// @param content null when there is no such document
  private ObjectNode answered(
      ObjectNode answer,
      ShardId shard,
      ObjectNode question,
      @Nullable JsonNode content,
      long startNanos)
      throws IOException {
    answer.put("found", content != null);
    ObjectNode vectors = null;
    if (content != null) {
      question.set("source", content);
      vectors = searches.ask(shard, TermVectorsInspection.NAME, question);
    }
    answer.put("took", (world.clock().nanoTime() - startNanos) / 1_000_000);
    if (vectors != null) {
      answer.set("term_vectors", vectors);
    }
    return answer;
  }

  private static void requireVersion(DocumentLookup.Found found, long version, String id) {
    if (version != VERSION_ANY && version != found.document().version()) {
      throw found.conflict(id, version);
    }
  }

  private static void fields(ApiRequest request, JsonObject json, ObjectNode question) {
    if (json.node().has("fields") && !json.node().path("fields").isArray()) {
      throw new Refusal(
          ErrorType.PARSE, "failed to parse term vectors request. field [fields] must be an array");
    }
    List<String> fields = new ArrayList<>(json.strings("fields"));
    if (fields.isEmpty()) {
      fields.addAll(request.list("fields"));
    }
    if (!fields.isEmpty()) {
      ArrayNode asked = question.putArray("fields");
      fields.forEach(asked::add);
    }
  }
}
