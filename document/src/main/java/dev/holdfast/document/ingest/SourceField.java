package dev.holdfast.document.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Refusal;
import org.jspecify.annotations.Nullable;

/// The field that a processor reads and the one it writes, by default the same.
///
/// @param isMissingIgnored a document without the field, or with null in it, is left as it is
public record SourceField(TextTemplate from, TextTemplate to, boolean isMissingIgnored) {
  public static SourceField of(ProcessorConfig config) {
    return of(config, null);
  }

  /// @param targetByDefault null for the field itself
  public static SourceField of(ProcessorConfig config, @Nullable String targetByDefault) {
    String field = config.requiredString("field");
    String target = config.string("target_field");
    String written = target != null ? target : targetByDefault == null ? field : targetByDefault;
    return new SourceField(
        TextTemplate.of(field), TextTemplate.of(written), config.flag("ignore_missing", false));
  }

  /// The value; null when there is none and that is ignored.
  ///
  /// @param nullRefusal what is said of null, after `field [name] is null, `
  public @Nullable JsonNode read(IngestDocument document, String nullRefusal) {
    FieldPath path = from.path(document);
    JsonNode value = isMissingIgnored ? document.find(path) : document.require(path);
    if (value == null || value.isNull()) {
      if (isMissingIgnored) {
        return null;
      }
      throw Refusal.badArgument("field [" + path.text() + "] is null, " + nullRefusal);
    }
    return value;
  }

  /// The value as text.
  public @Nullable String text(IngestDocument document, String nullRefusal) {
    JsonNode value = read(document, nullRefusal);
    return value == null ? null : text(value, document);
  }

  /// @throws Refusal when the value is no text
  String text(JsonNode value, IngestDocument document) {
    if (!value.isTextual()) {
      throw mismatch(document, value, "java.lang.String");
    }
    return value.asText();
  }

  public Refusal mismatch(IngestDocument document, JsonNode value, String wanted) {
    return Refusal.badArgument(
        "field ["
            + from.fill(document)
            + "] of type ["
            + IngestDocument.typeName(value)
            + "] cannot be cast to ["
            + wanted
            + "]");
  }

  public void write(IngestDocument document, JsonNode value) {
    document.set(to.path(document), value);
  }
}
