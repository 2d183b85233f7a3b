package dev.holdfast.document.ingest.processor;

import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.TextTemplate;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// `fail`: refuses the document with a message.
record FailProcessor(TextTemplate message) implements Processor {
  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    return new FailProcessor(TextTemplate.of(config.requiredString("message")));
  }

  @Override
  public void apply(IngestDocument document) {
    throw new Refusal(ErrorType.FAIL_PROCESSOR, message.fill(document));
  }
}
