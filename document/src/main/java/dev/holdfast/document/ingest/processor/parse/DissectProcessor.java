package dev.holdfast.document.ingest.processor.parse;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import java.util.Map;

/// `dissect`: parts of a text, cut at fixed delimiters, as fields.
public record DissectProcessor(SourceField field, DissectPattern pattern) implements Processor {
  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    String pattern = config.requiredString("pattern");
    String separator = config.string("append_separator", "");
    return new DissectProcessor(SourceField.of(config), DissectPattern.of(pattern, separator));
  }

  @Override
  public void apply(IngestDocument document) {
    String text = field.text(document, "cannot process it.");
    if (text != null) {
      Map<String, String> found = pattern.match(text);
      found.forEach((name, value) -> document.set(FieldPath.of(name), TextNode.valueOf(value)));
    }
  }
}
