package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.TemplateEscaping;
import dev.holdfast.document.ingest.TextTemplate;
import dev.holdfast.document.ingest.ValueSize;
import dev.holdfast.document.ingest.ValueTemplate;
import org.jspecify.annotations.Nullable;

/// `set`: gives a field a value, or that of another field.
record SetProcessor(
    TextTemplate field,
    @Nullable ValueTemplate value,
    @Nullable TextTemplate copied,
    boolean overrides,
    boolean ignoresEmpty)
    implements Processor {
  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    String field = config.requiredString("field");
    String copied = config.string("copy_from");
    boolean hasValue = config.has("value");
    JsonNode value = copied == null ? null : config.take("value");
    if (copied == null) {
      value = config.required("value");
    } else if (hasValue) {
      throw config.wrong(
          "copy_from", "cannot set both `copy_from` and `value` in the same processor");
    }
    TemplateEscaping escaping = TemplateEscaping.of(config);
    return new SetProcessor(
        TextTemplate.of(field),
        value == null ? null : ValueTemplate.of(value, escaping),
        copied == null ? null : TextTemplate.of(copied),
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
    JsonNode filled = filled(document);
    boolean isEmpty = filled.isNull() || (filled.isTextual() && filled.asText().isEmpty());
    if (!ignoresEmpty || !isEmpty) {
      document.set(path, filled);
    }
  }

  private JsonNode filled(IngestDocument document) {
    if (value != null) {
      return value.fill(document);
    }
    FieldPath from = java.util.Objects.requireNonNull(copied).path(document);
    JsonNode found = ignoresEmpty ? document.find(from) : document.require(from);
    if (found == null) {
      return NullNode.instance;
    }
    document.grow(ValueSize.of(found));
    return found.deepCopy();
  }
}
