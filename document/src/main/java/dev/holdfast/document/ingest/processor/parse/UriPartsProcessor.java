package dev.holdfast.document.ingest.processor.parse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.script.ProcessorFunctions;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;

/// `uri_parts`: scheme, domain, path, … of a URI as an object.
public record UriPartsProcessor(SourceField field, boolean removesSource, boolean keepsOriginal)
    implements Processor {
  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    return new UriPartsProcessor(
        SourceField.of(config, "url"),
        config.flag("remove_if_successful", false),
        config.flag("keep_original", true));
  }

  @Override
  public void apply(IngestDocument document) {
    String text = field.text(document, "cannot process it.");
    if (text == null) {
      return;
    }
    ObjectNode parts = parts(text);
    if (keepsOriginal) {
      parts.put("original", text);
    }
    if (removesSource && !field.from().fill(document).equals(field.to().fill(document))) {
      document.remove(field.from().path(document));
    }
    field.write(document, parts);
  }

  private static ObjectNode parts(String text) {
    ObjectNode parts = Json.object();
    try {
      ProcessorFunctions.uriParts(text)
          .forEach((name, value) -> parts.set(name, Json.MAPPER.valueToTree(value)));
    } catch (IllegalArgumentException e) {
      throw Refusal.badArgument(String.valueOf(e.getMessage()));
    }
    return parts;
  }
}
