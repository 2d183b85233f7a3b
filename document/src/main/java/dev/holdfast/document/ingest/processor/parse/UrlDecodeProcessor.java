package dev.holdfast.document.ingest.processor.parse;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.document.ingest.TextProcessor;
import dev.holdfast.world.Refusal;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/// `urldecode`: text with its percent escapes undone.
public final class UrlDecodeProcessor {
  private UrlDecodeProcessor() {}

  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    return new TextProcessor(SourceField.of(config), text -> TextNode.valueOf(decoded(text)));
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw Refusal.badArgument("Could not URL-decode [" + text + "]: " + e.getMessage());
    }
  }
}
