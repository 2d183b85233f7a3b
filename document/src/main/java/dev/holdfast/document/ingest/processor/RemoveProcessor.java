package dev.holdfast.document.ingest.processor;

import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.TextTemplate;
import java.util.ArrayList;
import java.util.List;

/// `remove`: takes fields away, or all but some.
///
/// @param kept when not empty, all other fields go
record RemoveProcessor(List<TextTemplate> fields, List<TextTemplate> kept, boolean isMissingIgnored)
    implements Processor {
  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    List<TextTemplate> fields = config.strings("field").stream().map(TextTemplate::of).toList();
    List<TextTemplate> kept = config.strings("keep").stream().map(TextTemplate::of).toList();
    if (fields.isEmpty() && kept.isEmpty()) {
      throw config.wrong("keep", "or [field] must be specified");
    }
    if (!fields.isEmpty() && !kept.isEmpty()) {
      throw config.wrong("keep", "and [field] cannot both be used in the same processor");
    }
    return new RemoveProcessor(fields, kept, config.flag("ignore_missing", false));
  }

  @Override
  public void apply(IngestDocument document) {
    for (TextTemplate field : fields) {
      FieldPath path = field.path(document);
      if (!isMissingIgnored || document.find(path) != null) {
        document.remove(path);
      }
    }
    if (!kept.isEmpty()) {
      List<String> paths = kept.stream().map(field -> field.fill(document)).toList();
      keep(document.source(), "", paths);
    }
  }

  private static void keep(
      com.fasterxml.jackson.databind.node.ObjectNode object, String prefix, List<String> paths) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    for (String name : names) {
      String path = prefix + name;
      boolean isWhole = paths.contains(path);
      boolean isHolder = paths.stream().anyMatch(one -> one.startsWith(path + "."));
      if (!isWhole
          && isHolder
          && object.get(name) instanceof com.fasterxml.jackson.databind.node.ObjectNode inner) {
        keep(inner, path + ".", paths);
      } else if (!isWhole) {
        object.remove(name);
      }
    }
  }
}
