package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.TextTemplate;

/// `set`: gives a field a value, or that of another field.
///
/// @param ignoresEmpty whether null and a text without a character are no values
record SetProcessor(TextTemplate field, GivenValue value, boolean overrides, boolean ignoresEmpty)
    implements Processor {
  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    return new SetProcessor(
        TextTemplate.of(config.requiredString("field")),
        GivenValue.of(config),
        config.flag("override", true),
        config.flag("ignore_empty_value", false));
  }

  @Override
  public void apply(IngestDocument document) {
    FieldPath path = field.path(document);
    JsonNode before = document.find(path);
    if (!overrides && before != null && !before.isNull()) {
      return;
    }
    JsonNode given = value.of(document, ignoresEmpty);
    JsonNode filled = given == null ? NullNode.instance : given;
    if (!ignoresEmpty || !GivenValue.isEmpty(filled)) {
      document.set(path, filled);
    }
  }
}
