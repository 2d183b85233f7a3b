package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// `reroute`: sends a document to another index or data stream, whose pipelines it goes through
/// then; the rest of the pipelines that it is in is left out.
///
/// @param destination null for one of `type`, dataset and namespace
/// @param type of the data stream; null for the one that it has
/// @param datasets values and `{{fields}}`, the first that there is counts
/// @param namespaces the same
public record RerouteProcessor(
    @Nullable String destination,
    @Nullable String type,
    List<String> datasets,
    List<String> namespaces)
    implements Processor {
  private static final int LENGTH_MAX = 100;
  private static final FieldPath INDEX = FieldPath.of("_index");

  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    String destination = config.string("destination");
    String type = config.string("type");
    List<String> datasets = config.strings("dataset");
    List<String> namespaces = config.strings("namespace");
    if (destination != null && (type != null || !datasets.isEmpty() || !namespaces.isEmpty())) {
      throw config.wrong(
          "destination", "can only be set if type, dataset, and namespace are not set");
    }
    for (String dataset : datasets) {
      requireClean(config, "dataset", dataset, true);
    }
    for (String namespace : namespaces) {
      requireClean(config, "namespace", namespace, false);
    }
    return new RerouteProcessor(
        destination,
        type,
        datasets.isEmpty() ? List.of("{{data_stream.dataset}}") : datasets,
        namespaces.isEmpty() ? List.of("{{data_stream.namespace}}") : namespaces);
  }

  private static void requireClean(
      ProcessorConfig config, String what, String value, boolean isDataset) {
    if (isField(value)) {
      String field = field(value);
      if (field.contains("{") || field.contains("}")) {
        throw config.wrong(what, "'" + value + "' is not a valid field reference");
      }
      var _ = FieldPath.of(field);
    } else if (!clean(value, isDataset).equals(value)) {
      throw config.wrong(what, "'" + value + "' contains disallowed characters");
    }
  }

  /// What has braces anywhere is to be one field, and nothing else.
  private static boolean isField(String value) {
    return value.contains("{{") || value.contains("}}");
  }

  /// Of `{{field}}` and `{{{field}}}`; with braces in it where the value is no such thing.
  private static String field(String value) {
    for (String braces : List.of("{{{ }}}", "{{ }}")) {
      String open = braces.substring(0, braces.indexOf(' '));
      String close = braces.substring(braces.indexOf(' ') + 1);
      if (value.length() >= braces.length() && value.startsWith(open) && value.endsWith(close)) {
        return value.substring(open.length(), value.length() - close.length()).strip();
      }
    }
    return value;
  }

  @Override
  public void apply(IngestDocument document) {
    if (destination != null) {
      document.set(INDEX, TextNode.valueOf(destination));
      document.reroute();
      return;
    }
    String name = document.metadata().path("_index").asText();
    String[] parts = name.split("-", 3);
    if (parts.length < 3) {
      throw Refusal.badArgument(
          "invalid data stream name: ["
              + name
              + "]; must follow naming scheme <type>-<dataset>-<namespace>");
    }
    String ofType = type == null ? parts[0] : type;
    String dataset = first(document, datasets, parts[1], true);
    String namespace = first(document, namespaces, parts[2], false);
    document.set(INDEX, TextNode.valueOf(ofType + "-" + dataset + "-" + namespace));
    write(document, "type", ofType);
    write(document, "dataset", dataset);
    write(document, "namespace", namespace);
    document.reroute();
  }

  /// Where the document has an event's dataset it is that of the stream.
  private static void write(IngestDocument document, String part, String value) {
    document.set(FieldPath.of("data_stream." + part), TextNode.valueOf(value));
    FieldPath event = FieldPath.of("event.dataset");
    if (part.equals("dataset") && document.find(event) != null) {
      document.set(event, TextNode.valueOf(value));
    }
  }

  private static String first(
      IngestDocument document, List<String> choices, String otherwise, boolean isDataset) {
    for (String choice : choices) {
      JsonNode value =
          isField(choice) ? document.find(FieldPath.of(field(choice))) : TextNode.valueOf(choice);
      if (value != null && value.isTextual() && !value.asText().isEmpty()) {
        return clean(value.asText(), isDataset);
      }
    }
    return otherwise;
  }

  private static String clean(String value, boolean isDataset) {
    String lower = value.toLowerCase(Locale.ROOT);
    String cleaned =
        lower.replaceAll(isDataset ? "[\\\\/*?\"<>| ,#:-]" : "[\\\\/*?\"<>| ,#:]", "_");
    return cleaned.length() > LENGTH_MAX ? cleaned.substring(0, LENGTH_MAX) : cleaned;
  }
}
