package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.TemplateEscaping;
import dev.holdfast.document.ingest.TextTemplate;
import dev.holdfast.document.ingest.ValueSize;
import dev.holdfast.document.ingest.ValueTemplate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// `append`: adds values to a list; what is no list becomes one.
///
/// @param copied the field whose values are added; null where the value is given
/// @param ignoresEmpty whether null and texts without a character are no values
record AppendProcessor(
    TextTemplate field,
    @Nullable ValueTemplate value,
    @Nullable TextTemplate copied,
    boolean allowsDuplicates,
    boolean ignoresEmpty)
    implements Processor {
  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    String field = config.requiredString("field");
    TemplateEscaping escaping = TemplateEscaping.of(config);
    String copied = config.string("copy_from");
    if (copied != null && config.has("value")) {
      throw config.wrong(
          "copy_from", "cannot set both `copy_from` and `value` in the same processor");
    }
    return new AppendProcessor(
        TextTemplate.of(field),
        copied == null ? ValueTemplate.of(config.required("value"), escaping) : null,
        copied == null ? null : TextTemplate.of(copied),
        config.flag("allow_duplicates", true),
        config.flag("ignore_empty_values", false));
  }

  @Override
  public void apply(IngestDocument document) {
    JsonNode added = value == null ? copied(document) : value.fill(document);
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

  private JsonNode copied(IngestDocument document) {
    FieldPath from = Objects.requireNonNull(copied).path(document);
    JsonNode found = ignoresEmpty ? document.find(from) : document.require(from);
    if (found == null) {
      return JsonNodeFactory.instance.arrayNode();
    }
    document.grow(ValueSize.of(found));
    return found.deepCopy();
  }

  private static void addIfFilled(JsonNode one, ArrayNode filled) {
    if (!one.isNull() && !(one.isTextual() && one.textValue().isEmpty())) {
      filled.add(one);
    }
  }
}
