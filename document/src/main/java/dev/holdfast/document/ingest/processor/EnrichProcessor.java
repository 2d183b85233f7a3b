package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.EnrichQuestion;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Pipelines;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.TextTemplate;
import dev.holdfast.world.Json;
import java.util.List;
import java.util.Locale;

/// `enrich`: adds what the index of a policy has for a value of the document.
public record EnrichProcessor(
    String policy,
    TextTemplate field,
    TextTemplate target,
    boolean isMissingIgnored,
    boolean overrides,
    int matchesMax,
    String relation,
    Pipelines lookups)
    implements Processor {
  private static final int MATCHES_MAX = 128;
  private static final List<String> RELATIONS =
      List.of("INTERSECTS", "DISJOINT", "WITHIN", "CONTAINS");

  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    String policy = config.requiredString("policy_name");
    String field = config.requiredString("field");
    String target = config.requiredString("target_field");
    int matches = config.whole("max_matches", 1);
    if (matches < 1 || matches > MATCHES_MAX) {
      throw config.wrong("max_matches", "should be between 1 and " + MATCHES_MAX);
    }
    String relation = config.string("shape_relation", "INTERSECTS").toUpperCase(Locale.ROOT);
    if (!RELATIONS.contains(relation)) {
      throw config.wrong("shape_relation", "[" + relation + "] is none of " + RELATIONS);
    }
    parsing.pipelines().requireEnrich(policy);
    return new EnrichProcessor(
        policy,
        TextTemplate.of(field),
        TextTemplate.of(target),
        config.flag("ignore_missing", false),
        config.flag("override", true),
        matches,
        relation,
        parsing.pipelines());
  }

  @Override
  public void apply(IngestDocument document) {
    JsonNode value =
        isMissingIgnored
            ? document.find(field.path(document))
            : document.require(field.path(document));
    if (value == null || value.isNull()) {
      return;
    }
    List<ObjectNode> found =
        lookups.enriched(new EnrichQuestion(policy, value, matchesMax, relation));
    if (found.isEmpty()) {
      return;
    }
    JsonNode there = document.find(target.path(document));
    if (!overrides && there != null && !there.isNull()) {
      return;
    }
    ArrayNode all = Json.MAPPER.createArrayNode();
    found.forEach(one -> all.add(one.deepCopy()));
    document.set(target.path(document), matchesMax == 1 ? all.get(0) : all);
  }
}
