package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.world.text.BoundedText;
import java.util.List;
import java.util.regex.Pattern;

/// `split`: a list of the parts of a text.
record SplitProcessor(SourceField field, Pattern separator, boolean keepsTrailing)
    implements Processor {
  /// A part, as text and in lists, beside its characters.
  static final long PART_BYTES = 100;

  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    return new SplitProcessor(
        SourceField.of(config),
        config.pattern("separator"),
        config.flag("preserve_trailing", false));
  }

  @Override
  public void apply(IngestDocument document) {
    String text = field.text(document, "cannot split.");
    if (text == null) {
      return;
    }
    document.grow(PART_BYTES * new BoundedText(text).parts(separator));
    ArrayNode parts = JsonNodeFactory.instance.arrayNode();
    List.of(new BoundedText(text).split(separator, keepsTrailing ? -1 : 0)).forEach(parts::add);
    field.write(document, parts);
  }
}
