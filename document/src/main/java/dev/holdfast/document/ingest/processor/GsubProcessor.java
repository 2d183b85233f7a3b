package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.document.ingest.TextProcessor;
import dev.holdfast.world.text.BoundedText;
import java.util.regex.Pattern;

/// `gsub`: replaces what a regular expression matches.
final class GsubProcessor {
  private GsubProcessor() {}

  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    Pattern pattern = config.pattern("pattern");
    String replacement = config.requiredString("replacement");
    return new TextProcessor(
        SourceField.of(config),
        text -> TextNode.valueOf(new BoundedText(text).replaced(pattern, replacement, true)));
  }
}
