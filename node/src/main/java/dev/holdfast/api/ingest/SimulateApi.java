package dev.holdfast.api.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.IngestPipeline;
import dev.holdfast.document.ingest.Step;
import dev.holdfast.document.ingest.Trace;
import dev.holdfast.document.ingest.UnknownPipeline;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.http.ErrorBody;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.text.JsonMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// `GET|POST /_ingest/pipeline/_simulate`: what a pipeline makes of documents, written nowhere;
/// with `verbose`, after each of its steps.
public final class SimulateApi implements Api {
  private static final String PIPELINE = "pipeline";
  private static final String SOURCE = "_source";

  /// The id of a pipeline that the request itself defines.
  private static final String OWN_PIPELINE = "_simulate_pipeline";

  private final IngestPipelines ingest;
  private final Clock clock;

  public SimulateApi(IngestPipelines ingest, Clock clock) {
    this.ingest = ingest;
    this.clock = clock;
  }

  @Override
  public Answer handle(ApiRequest request) {
    ObjectNode body = request.body().object();
    IngestPipeline pipeline = pipeline(request.text("id"), body);
    JsonNode documents = body.get("docs");
    if (documents == null || !documents.isArray()) {
      throw missing("docs");
    }
    if (documents.isEmpty()) {
      throw Refusal.badArgument("must specify at least one document in [docs]");
    }
    boolean isVerbose = request.flag("verbose", false);
    ObjectNode answer = Json.object();
    ArrayNode results = answer.putArray("docs");
    for (JsonNode given : documents) {
      StopSignal.pollForCancelling();
      IngestDocument document = document(given);
      if (isVerbose) {
        verbose(results.addObject().putArray("processor_results"), pipeline, document);
      } else {
        results.add(result(pipeline, document));
      }
    }
    return Answer.of(200, answer);
  }

  private IngestPipeline pipeline(@Nullable String id, ObjectNode body) {
    if (id == null) {
      if (!(body.get(PIPELINE) instanceof ObjectNode definition)) {
        throw missing(PIPELINE);
      }
      PipelineProperties.check(OWN_PIPELINE, definition);
      return ingest.pipelines().parser().pipeline(OWN_PIPELINE, definition);
    }
    IngestPipeline known = ingest.pipelines().find(id);
    if (known == null) {
      throw Refusal.badArgument("pipeline [" + id + "] does not exist");
    }
    return known;
  }

  private static Refusal missing(String property) {
    return new Refusal(ErrorType.PARSE, "[" + property + "] required property is missing")
        .with("property_name", property);
  }

  private IngestDocument document(JsonNode given) {
    if (!given.isObject()) {
      throw Refusal.badArgument("malformed [docs] section, should include an inner object");
    }
    if (!(given.get(SOURCE) instanceof ObjectNode source)) {
      throw missing(SOURCE);
    }
    ObjectNode metadata = Json.object();
    metadata.put("_index", given.path("_index").asText("_index"));
    metadata.put("_id", given.path("_id").asText("_id"));
    metadata.put("_version", whole(given.path("_version"), -3));
    var _ = IngestMetadata.versionType(given.path("_version_type").asText(null));
    var _ = whole(given.path("_if_seq_no"), 0);
    var _ = whole(given.path("_if_primary_term"), 0);
    for (String name :
        List.of(
            "_routing", "_version_type", "_if_seq_no", "_if_primary_term", "_dynamic_templates")) {
      if (given.hasNonNull(name)) {
        metadata.set(name, given.get(name));
      }
    }
    return new IngestDocument(
        source.deepCopy(), metadata, Instant.ofEpochMilli(clock.epochMillis()).toString());
  }

  /// A number, also in text.
  private static long whole(JsonNode given, long whenAbsent) {
    if (given.isMissingNode() || given.isNull()) {
      return whenAbsent;
    }
    try {
      return given.isNumber() ? given.asLong() : Long.parseLong(given.asText());
    } catch (NumberFormatException e) {
      throw new Refusal(ErrorType.NUMBER_FORMAT, String.valueOf(e.getMessage()));
    }
  }

  private static JsonNode result(IngestPipeline pipeline, IngestDocument document) {
    try {
      pipeline.run(document);
    } catch (Refusal e) {
      requireWanted(e);
      return Json.object().set("error", error(e));
    }
    return document.isDropped() ? NullNode.instance : Json.object().set("doc", shown(document));
  }

  /// @throws Refusal when nobody waits for the results any more
  private static void requireWanted(Refusal e) {
    if (e.type() == ErrorType.TASK_CANCELLED) {
      throw e;
    }
  }

  private static void verbose(ArrayNode results, IngestPipeline pipeline, IngestDocument document) {
    List<Refusal> unheld = new ArrayList<>();
    document.traceTo((step, now, outcome, error) -> {
      // A processor may ignore failures, but not that there is no memory for telling of it.
      if (unheld.isEmpty()) {
        try {
          results.add(step(step, now, outcome, error));
        } catch (Refusal e) {
          unheld.add(e);
        }
      }
    });
    try {
      pipeline.run(document);
    } catch (UnknownPipeline e) {
      throw e.refusal();
    } catch (Refusal e) {
      requireWanted(e); // the step that failed says so among the results
    }
    if (!unheld.isEmpty()) {
      throw unheld.getFirst();
    }
  }

  private static ObjectNode step(
      Step step, IngestDocument document, Trace.Outcome outcome, @Nullable Refusal error) {
    ObjectNode shown = Json.object().put("processor_type", step.type());
    shown.put(
        "status",
        outcome == Trace.Outcome.CALL ? "success" : outcome.name().toLowerCase(Locale.ROOT));
    if (step.description() != null) {
      shown.put("description", step.description());
    }
    if (step.tag() != null) {
      shown.put("tag", step.tag());
    }
    if (step.condition() != null) {
      shown
          .putObject("if")
          .put("condition", step.condition().text())
          .put("result", outcome != Trace.Outcome.SKIPPED);
    }
    if (error != null && outcome == Trace.Outcome.ERROR_IGNORED) {
      shown.putObject("ignored_error").set("error", error(error));
    } else if (error != null) {
      shown.set("error", error(error));
    }
    if (outcome == Trace.Outcome.SUCCESS || outcome == Trace.Outcome.ERROR_IGNORED) {
      shown.set("doc", shown(document));
    }
    return shown;
  }

  private static ObjectNode shown(IngestDocument document) {
    RequestMemory.add(JsonMemory.of(document.source()) + JsonMemory.of(document.ingest()));
    ObjectNode shown = Json.object();
    document
        .metadata()
        .properties()
        .forEach(member -> shown.put(member.getKey(), member.getValue().asText()));
    shown.set(SOURCE, document.source().deepCopy());
    shown.set("_ingest", document.ingest().deepCopy());
    return shown;
  }

  /// A refusal as answers show it.
  static JsonNode error(Refusal refusal) {
    try (TokenBuffer buffer = new TokenBuffer(Json.MAPPER, false)) {
      ErrorBody.write(buffer, refusal, false);
      return Json.MAPPER.readTree(buffer.asParser());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
