package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.TextTemplate;

/// `append`: adds values to a list; what is no list becomes one.
///
/// @param ignoresEmpty whether null and texts without a character are no values
record AppendProcessor(
    TextTemplate field, GivenValue value, boolean allowsDuplicates, boolean ignoresEmpty)
    implements Processor {
  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    return new AppendProcessor(
        TextTemplate.of(config.requiredString("field")),
        GivenValue.of(config),
        config.flag("allow_duplicates", true),
        config.flag("ignore_empty_values", false));
  }

  @Override
  public void apply(IngestDocument document) {
    JsonNode added = value.of(document, ignoresEmpty);
    if (added == null) {
      return;
    }
    if (!ignoresEmpty) {
      document.append(field.path(document), added, allowsDuplicates);
      return;
    }
    ArrayNode filled = JsonNodeFactory.instance.arrayNode();
    if (added instanceof ArrayNode list) {
      list.forEach(one -> addIfFilled(one, filled));
    } else {
      addIfFilled(added, filled);
    }
    if (!filled.isEmpty()) {
      document.append(field.path(document), filled, allowsDuplicates);
    }
  }

  private static void addIfFilled(JsonNode one, ArrayNode filled) {
    if (!GivenValue.isEmpty(one)) {
      filled.add(one);
    }
  }
}
