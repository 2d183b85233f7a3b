package dev.holdfast.document.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.function.Function;

/// A processor that makes another value of a text, or of each text of a list.
public record TextProcessor(SourceField field, Function<String, JsonNode> change)
    implements Processor {
  @Override
  public void apply(IngestDocument document) {
    JsonNode value = field.read(document, "cannot process it.");
    if (value instanceof ArrayNode list) {
      ArrayNode changed = JsonNodeFactory.instance.arrayNode();
      for (JsonNode element : list) {
        changed.add(changed(document, field.text(element, document)));
      }
      field.write(document, changed);
    } else if (value != null) {
      field.write(document, changed(document, field.text(value, document)));
    }
  }

  private JsonNode changed(IngestDocument document, String text) {
    JsonNode made = change.apply(text);
    document.grow(ValueSize.of(made));
    return made;
  }
}
