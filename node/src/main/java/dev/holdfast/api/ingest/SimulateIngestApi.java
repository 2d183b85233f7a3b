package dev.holdfast.api.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.api.indices.template.MatchingTemplates;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.indexing.operation.WriteOperation.Condition;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.World;
import dev.holdfast.world.text.JsonMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// `GET|POST /_ingest/_simulate`: what the pipelines of their indices would make of documents,
/// written nowhere; with pipelines and templates that are not there, or not so.
public final class SimulateIngestApi implements Api {
  private static final Set<String> READ = Set.of("_id", "_index", "_source");

  private static final List<String> TEMPLATES =
      List.of("component_template_substitutions", "index_template_substitutions");

  private final World world;
  private final Metadata metadata;
  private final IngestSources sources;

  /// @param sources what processors ask
  public SimulateIngestApi(World world, Metadata metadata, IngestSources sources) {
    this.world = world;
    this.metadata = metadata;
    this.sources = sources;
  }

  /// The cluster state as the request has it; nobody changes it.
  private record Substituted(ClusterState current) implements Metadata {
    @Override
    public ClusterState update(String reason, UnaryOperator<ClusterState> change) {
      throw new UnsupportedOperationException(reason);
    }

    @Override
    public void listen(Listener listener) {
      throw new UnsupportedOperationException("a state that does not change");
    }
  }

  @Override
  public Answer handle(ApiRequest request) {
    JsonObject body = JsonObject.of("simulate_ingest", request.body().object());
    List<String> warnings = warnings(body.node());
    JsonNode documents = body.take("docs");
    ClusterState state = metadata.current();
    state = pipelines(state, body.object("pipeline_substitutions"));
    state =
        templates(
            state, MatchingTemplates.COMPONENT, body.object("component_template_substitutions"));
    state =
        templates(state, MatchingTemplates.COMPOSABLE, body.object("index_template_substitutions"));
    if (body.orNull("mapping_addition") != null) {
      throw Refusal.badArgument(
          "[mapping_addition] is not supported: documents are not compared with mappings here");
    }
    body.done();
    if (documents == null || !documents.isArray()) {
      throw new Refusal(ErrorType.PARSE, "[docs] required property is missing")
          .with("property_name", "docs");
    }
    if (documents.isEmpty()) {
      throw Refusal.badArgument("must specify at least one document in [docs]");
    }
    IngestPipelines ingest = new IngestPipelines(world, new Substituted(state), sources);
    String index = request.text("index");
    String pipeline = request.text("pipeline");
    if ("".equals(pipeline)) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: pipeline cannot be an empty string;");
    }
    ObjectNode answer = Json.object();
    ArrayNode shown = answer.putArray("docs");
    for (JsonNode document : documents) {
      StopSignal.pollForCancelling();
      shown.add(simulated(ingest, document, index, pipeline));
    }
    Answer all = Answer.of(200, answer);
    for (String warning : warnings) {
      all = all.warn(warning);
    }
    return all;
  }

  /// What a request says and nobody reads.
  private static List<String> warnings(ObjectNode body) {
    Set<String> mapped = new TreeSet<>();
    for (String kind : TEMPLATES) {
      for (var one : body.path(kind).properties()) {
        if (!one.getValue().path("template").path("mappings").isEmpty()) {
          mapped.add(one.getKey());
        }
      }
    }
    List<String> warnings = new ArrayList<>();
    if (!mapped.isEmpty()) {
      warnings.add(
          "[mappings] of substitutes "
              + mapped
              + " have no effect: documents are not compared with mappings here");
    }
    Set<String> idle = new TreeSet<>();
    for (JsonNode document : body.path("docs")) {
      document.fieldNames().forEachRemaining(idle::add);
    }
    idle.removeAll(READ);
    if (!idle.isEmpty()) {
      warnings.add("members of [docs] that have no effect: " + idle);
    }
    return warnings;
  }

  private static ClusterState pipelines(ClusterState state, @Nullable JsonObject given) {
    if (given == null) {
      return state;
    }
    SortedMap<String, ObjectNode> all = StoredPipelines.definitions(state);
    substitute(all, given);
    return StoredPipelines.with(state, all);
  }

  private static ClusterState templates(
      ClusterState state, String kind, @Nullable JsonObject given) {
    if (given == null) {
      return state;
    }
    SortedMap<String, ObjectNode> all = MatchingTemplates.of(state, kind);
    substitute(all, given);
    return MatchingTemplates.with(state, kind, all);
  }

  private static void substitute(SortedMap<String, ObjectNode> all, JsonObject given) {
    for (var one : given.node().properties()) {
      if (!(one.getValue() instanceof ObjectNode definition)) {
        throw Refusal.badArgument("the substitute of [" + one.getKey() + "] is no object");
      }
      all.put(one.getKey(), definition);
    }
  }

  private static JsonNode simulated(
      IngestPipelines ingest,
      JsonNode given,
      @Nullable String indexByDefault,
      @Nullable String pipeline) {
    if (!(given.get("_source") instanceof ObjectNode source)) {
      throw new Refusal(ErrorType.PARSE, "[_source] required property is missing")
          .with("property_name", "_source");
    }
    String index = given.path("_index").asText(indexByDefault == null ? "" : indexByDefault);
    if (index.isEmpty()) {
      throw new Refusal(ErrorType.PARSE, "[_index] required property is missing")
          .with("property_name", "_index");
    }
    byte[] bytes = Json.bytes(source);
    IngestDraft draft =
        IngestDraft.of(
            index,
            given.hasNonNull("_id") ? given.get("_id").asText() : null,
            null,
            Condition.NONE,
            bytes,
            0,
            bytes.length);
    IngestDraft made;
    try {
      IngestPipelines.Route route = ingest.route(index, pipeline);
      made = route.isEmpty() ? draft : ingest.run(route, draft);
    } catch (Refusal e) {
      return Json.object().set("error", SimulateApi.error(e));
    }
    return made.isDropped() ? NullNode.instance : shown(made);
  }

  private static ObjectNode shown(IngestDraft made) {
    RequestMemory.add(JsonMemory.ofText(made.bytes(), made.offset(), made.length()));
    ObjectNode answer = Json.object();
    ObjectNode shown = answer.putObject("doc");
    shown.put("_id", made.id() == null ? "" : made.id());
    shown.put("_index", made.index());
    shown.put("_version", made.condition().version());
    shown.set("_source", Json.parse(made.bytes(), made.offset(), made.length()));
    List<String> executed = made.executed();
    ArrayNode list = shown.putArray("executed_pipelines");
    executed.forEach(list::add);
    return answer;
  }
}
