package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.document.ingest.TextProcessor;
import java.util.Locale;

/// `lowercase` and `uppercase`.
final class CaseProcessors {
  private CaseProcessors() {}

  static Processor lower(ProcessorConfig config, PipelineParser parsing) {
    return new TextProcessor(
        SourceField.of(config), text -> TextNode.valueOf(text.toLowerCase(Locale.ROOT)));
  }

  static Processor upper(ProcessorConfig config, PipelineParser parsing) {
    return new TextProcessor(
        SourceField.of(config), text -> TextNode.valueOf(text.toUpperCase(Locale.ROOT)));
  }
}
