package dev.holdfast.document.ingest.processor;

import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.TextTemplate;
import dev.holdfast.document.ingest.ValueTemplate;

/// `append`: adds values to a list; what is no list becomes one.
record AppendProcessor(TextTemplate field, ValueTemplate value, boolean allowsDuplicates)
    implements Processor {
  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    String field = config.requiredString("field");
    ValueTemplate value = ValueTemplate.of(config.required("value"));
    var _ = config.string("media_type");
    return new AppendProcessor(
        TextTemplate.of(field), value, config.flag("allow_duplicates", true));
  }

  @Override
  public void apply(IngestDocument document) {
    document.append(field.path(document), value.fill(document), allowsDuplicates);
  }
}
