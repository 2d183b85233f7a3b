package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.TextTemplate;
import dev.holdfast.world.Refusal;

/// `rename`: gives a field another name.
record RenameProcessor(
    TextTemplate field, TextTemplate target, boolean isMissingIgnored, boolean overrides)
    implements Processor {
  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    return new RenameProcessor(
        TextTemplate.of(config.requiredString("field")),
        TextTemplate.of(config.requiredString("target_field")),
        config.flag("ignore_missing", false),
        config.flag("override", false));
  }

  @Override
  public void apply(IngestDocument document) {
    String name = field.fill(document);
    JsonNode value = name.isEmpty() ? null : document.find(FieldPath.of(name));
    if (value == null) {
      if (isMissingIgnored) {
        return;
      }
      throw Refusal.badArgument("field [" + name + "] doesn't exist");
    }
    FieldPath to = target.path(document);
    if (!overrides && document.find(to) != null) {
      throw Refusal.badArgument("field [" + to.text() + "] already exists");
    }
    FieldPath from = FieldPath.of(name);
    document.remove(from);
    try {
      document.set(to, value);
    } catch (Refusal e) {
      document.set(from, value);
      throw e;
    }
  }
}
