package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.document.ingest.TextProcessor;

/// `trim`: text without white space around it.
final class TrimProcessor {
  private TrimProcessor() {}

  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    return new TextProcessor(SourceField.of(config), text -> TextNode.valueOf(text.trim()));
  }
}
