package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.TemplateEscaping;
import dev.holdfast.document.ingest.TextTemplate;
import dev.holdfast.document.ingest.ValueSize;
import dev.holdfast.document.ingest.ValueTemplate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a processor puts into a field: its `value`, or that of the field that `copy_from` names.
///
/// @param value null where a field is copied
/// @param copied null where the value is given
record GivenValue(@Nullable ValueTemplate value, @Nullable TextTemplate copied) {
  static GivenValue of(ProcessorConfig config) {
    TemplateEscaping escaping = TemplateEscaping.of(config);
    String copied = config.string("copy_from");
    if (copied == null) {
      return new GivenValue(ValueTemplate.of(config.required("value"), escaping), null);
    }
    if (config.has("value")) {
      throw config.wrong(
          "copy_from", "cannot set both `copy_from` and `value` in the same processor");
    }
    return new GivenValue(null, TextTemplate.of(copied));
  }

  /// A value of its own for that document.
  ///
  /// @param mayLack whether the field that is copied need not be there
  /// @return null when it is not
  @Nullable JsonNode of(IngestDocument document, boolean mayLack) {
    if (value != null) {
      return value.fill(document);
    }
    FieldPath from = Objects.requireNonNull(copied).path(document);
    JsonNode found = mayLack ? document.find(from) : document.require(from);
    if (found == null) {
      return null;
    }
    document.grow(ValueSize.of(found));
    return found.deepCopy();
  }

  /// Whether a value is null or a text without a character.
  static boolean isEmpty(JsonNode value) {
    return value.isNull() || (value.isTextual() && value.textValue().isEmpty());
  }
}
