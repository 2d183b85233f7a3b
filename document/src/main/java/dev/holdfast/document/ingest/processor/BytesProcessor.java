package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.node.LongNode;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.document.ingest.TextProcessor;
import dev.holdfast.world.ByteSize;

/// `bytes`: a size as people write it (`1kb`) as a number of bytes.
final class BytesProcessor {
  private BytesProcessor() {}

  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    return new TextProcessor(
        SourceField.of(config),
        text -> LongNode.valueOf(ByteSize.parse("Ingest Field", text).bytes()));
  }
}
