package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ContainerNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.document.ingest.ValueSize;
import dev.holdfast.document.ingest.ValueText;

/// `join`: one text of the elements of a list.
record JoinProcessor(SourceField field, String separator) implements Processor {
  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    return new JoinProcessor(SourceField.of(config), config.requiredString("separator"));
  }

  @Override
  public void apply(IngestDocument document) {
    JsonNode value = field.read(document, "cannot join.");
    if (value == null) {
      return;
    }
    if (!(value instanceof ArrayNode list)) {
      throw field.mismatch(document, value, "java.util.List");
    }
    long length = (long) separator.length() * list.size();
    for (JsonNode element : list) {
      length +=
          switch (element) {
            case TextNode text -> text.textValue().length();
            case ContainerNode<?> container -> ValueSize.of(container);
            default -> 24; // the longest number
          };
    }
    document.grow(2 * ValueSize.ofText(length)); // as it is made, and made
    StringBuilder joined = new StringBuilder();
    for (int i = 0; i < list.size(); i++) {
      joined.append(i == 0 ? "" : separator);
      ValueText.show(list.get(i), joined);
    }
    field.write(document, TextNode.valueOf(joined.toString()));
  }
}
