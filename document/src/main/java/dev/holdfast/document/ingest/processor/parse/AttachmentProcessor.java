package dev.holdfast.document.ingest.processor.parse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.file.FileParser;
import dev.holdfast.document.ingest.file.FileProperty;
import dev.holdfast.document.ingest.file.ParsedFile;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `attachment`: text and properties of a file that lies in the document as base64.
///
/// @param limits how much of the file is looked at
/// @param name the field that has the file's name; null for none
public record AttachmentProcessor(
    FieldPath field,
    FieldPath target,
    Limits limits,
    Set<FileProperty> properties,
    boolean isMissingIgnored,
    boolean removesBinary,
    @Nullable FieldPath name,
    FileParser parser)
    implements Processor {
  private static final int CHARS_MAX = 100_000;
  private static final int UNLIMITED = -1;
  private static final int NAME_CHARS_MAX = 4096;

  public AttachmentProcessor {
    properties = Collections.unmodifiableSet(EnumSet.copyOf(properties));
  }

  /// @param charsMax the most of the text; -1 for all
  /// @param charsField the field in which a document says so for itself; null for none
  /// @param bytesMax the longest base64; -1 for any
  public record Limits(int charsMax, @Nullable FieldPath charsField, int bytesMax) {}

  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    FieldPath field = FieldPath.of(config.requiredString("field"));
    FieldPath target = FieldPath.of(config.string("target_field", "attachment"));
    Limits limits =
        new Limits(
            whole(config, "indexed_chars", CHARS_MAX),
            path(config, "indexed_chars_field"),
            whole(config, "max_field_bytes", UNLIMITED));
    return new AttachmentProcessor(
        field,
        target,
        limits,
        properties(config),
        config.flag("ignore_missing", false),
        config.flag("remove_binary", false),
        path(config, "resource_name"),
        parsing.pipelines().fileParser());
  }

  private static @Nullable FieldPath path(ProcessorConfig config, String member) {
    String path = config.string(member);
    return path == null ? null : FieldPath.of(path);
  }

  private static int whole(ProcessorConfig config, String member, int whenAbsent) {
    int value = config.whole(member, whenAbsent);
    if (value < UNLIMITED) {
      throw config.wrong(member, "must be -1, for no limit, or more, but is [" + value + "]");
    }
    return value;
  }

  private static Set<FileProperty> properties(ProcessorConfig config) {
    if (config.take("properties") == null) {
      return EnumSet.allOf(FileProperty.class);
    }
    Set<FileProperty> properties = EnumSet.noneOf(FileProperty.class);
    for (String one : config.list("properties")) {
      FileProperty property = FileProperty.named(one);
      if (property == null) {
        throw config.wrong(
            "properties",
            "illegal field option ["
                + one
                + "]. valid values are "
                + Arrays.toString(FileProperty.values()));
      }
      properties.add(property);
    }
    return properties;
  }

  @Override
  public void apply(IngestDocument document) {
    JsonNode file = isMissingIgnored ? document.find(field) : document.require(field);
    if (file == null || file.isNull()) {
      if (isMissingIgnored) {
        return;
      }
      throw Refusal.badArgument("field [" + field.text() + "] is null, cannot parse.");
    }
    if (!file.isTextual()) {
      throw Refusal.badArgument(
          "Content field ["
              + field.text()
              + "] of unknown type ["
              + IngestDocument.typeName(file)
              + "], must be string or byte array");
    }
    String base64 = file.textValue();
    if (limits.bytesMax() != UNLIMITED && base64.length() > limits.bytesMax()) {
      throw Refusal.badArgument(
          "field ["
              + field.text()
              + "] has ["
              + base64.length()
              + "] bytes, more than [max_field_bytes] of ["
              + limits.bytesMax()
              + "]");
    }
    document.set(target, shown(parsed(document, base64)));
    if (removesBinary) {
      document.remove(field);
    }
  }

  private ParsedFile parsed(IngestDocument document, String base64) {
    try {
      return parser.parse(base64, name(document), charsMax(document));
    } catch (Refusal e) {
      if (e.type() == ErrorType.TIKA || e.type() == ErrorType.ENCRYPTED_DOCUMENT) {
        throw new Refusal(
            ErrorType.PARSE, "Error parsing document in field [" + field.text() + "]", e);
      }
      throw e;
    }
  }

  private @Nullable String name(IngestDocument document) {
    JsonNode value = name == null ? null : document.find(name);
    if (name == null || value == null || value.isNull()) {
      return null;
    }
    if (!value.isTextual()) {
      throw unfit(name, value, "java.lang.String");
    }
    // What is longer is no name; what says something of the format is at its end.
    String text = value.textValue();
    return text.substring(Math.max(0, text.length() - NAME_CHARS_MAX));
  }

  private int charsMax(IngestDocument document) {
    FieldPath path = limits.charsField();
    JsonNode value = path == null ? null : document.find(path);
    if (path == null || value == null || value.isNull()) {
      return limits.charsMax();
    }
    if (!value.isInt()) {
      throw unfit(path, value, "java.lang.Integer");
    }
    if (value.intValue() < UNLIMITED) {
      throw Refusal.badArgument(
          "field [" + path.text() + "] must be -1, for no limit, or more, but is [" + value + "]");
    }
    return value.intValue();
  }

  private static Refusal unfit(FieldPath path, JsonNode value, String wanted) {
    return Refusal.badArgument(
        "field ["
            + path.text()
            + "] of type ["
            + IngestDocument.typeName(value)
            + "] cannot be cast to ["
            + wanted
            + "]");
  }

  private ObjectNode shown(ParsedFile parsed) {
    ObjectNode shown = Json.object();
    for (FileProperty property : properties) {
      String value = parsed.properties().get(property);
      switch (property) {
        case CONTENT -> {
          if (!parsed.text().isEmpty()) {
            shown.put(property.label(), parsed.text().strip());
          }
        }
        case CONTENT_LENGTH -> shown.put(property.label(), length(value, parsed.text()));
        default -> {
          if (value != null && !value.isEmpty()) {
            shown.put(property.label(), value);
          }
        }
      }
    }
    return shown;
  }

  /// What the file says of its length, or else how long its text is.
  private static long length(@Nullable String said, String text) {
    try {
      return said == null ? text.length() : Long.parseLong(said);
    } catch (NumberFormatException e) {
      return text.length();
    }
  }
}
