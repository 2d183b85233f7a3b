package dev.holdfast.document.ingest.processor.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.script.ProcessorFunctions;
import dev.holdfast.world.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `community_id`: the id of a network flow that every tool gives it which knows both ends.
///
/// @param fields which field of the document is what: `source_ip`, `transport`, …
public record CommunityIdProcessor(
    Map<String, FieldPath> fields, FieldPath target, int seed, boolean isMissingIgnored)
    implements Processor {
  private static final int SEED_MAX = 65_535;

  private static final Map<String, String> DEFAULTS = new LinkedHashMap<>();

  static {
    DEFAULTS.put("source_ip", "source.ip");
    DEFAULTS.put("source_port", "source.port");
    DEFAULTS.put("destination_ip", "destination.ip");
    DEFAULTS.put("destination_port", "destination.port");
    DEFAULTS.put("iana_number", "network.iana_number");
    DEFAULTS.put("icmp_type", "icmp.type");
    DEFAULTS.put("icmp_code", "icmp.code");
    DEFAULTS.put("transport", "network.transport");
  }

  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    Map<String, FieldPath> fields = new LinkedHashMap<>();
    DEFAULTS.forEach((name, field) -> fields.put(name, FieldPath.of(config.string(name, field))));
    String target = config.string("target_field", "network.community_id");
    int seed = config.whole("seed", 0);
    if (seed < 0 || seed > SEED_MAX) {
      throw config.wrong("seed", "must be a value between 0 and 65535");
    }
    return new CommunityIdProcessor(
        fields, FieldPath.of(target), seed, config.flag("ignore_missing", true));
  }

  @Override
  public void apply(IngestDocument document) {
    String id;
    try {
      id =
          ProcessorFunctions.communityId(
              text(document, "source_ip"),
              text(document, "destination_ip"),
              text(document, "iana_number"),
              text(document, "transport"),
              text(document, "source_port"),
              text(document, "destination_port"),
              text(document, "icmp_type"),
              text(document, "icmp_code"),
              seed);
    } catch (IllegalArgumentException e) {
      throw Refusal.badArgument(String.valueOf(e.getMessage()));
    }
    if (id != null) {
      document.set(target, TextNode.valueOf(id));
    } else if (!isMissingIgnored) {
      throw Refusal.badArgument("unable to construct flow from document");
    }
  }

  private @Nullable String text(IngestDocument document, String what) {
    FieldPath path = fields.get(what);
    JsonNode value = path == null ? null : document.find(path);
    return value == null || value.isNull() ? null : value.asText();
  }
}
