package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.SourceField;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// `sort`: a list in order, numbers before texts.
record SortProcessor(SourceField field, boolean isDescending) implements Processor {
  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    String order = config.string("order", "asc");
    if (!order.equals("asc") && !order.equals("desc")) {
      throw config.wrong(
          "order", "Sort direction [" + order + "] not recognized. Valid values are: [asc, desc]");
    }
    return new SortProcessor(SourceField.of(config), order.equals("desc"));
  }

  @Override
  public void apply(IngestDocument document) {
    JsonNode value = field.read(document, "cannot sort.");
    if (!(value instanceof ArrayNode list)) {
      if (value != null) {
        throw field.mismatch(document, value, "java.util.List");
      }
      return;
    }
    List<JsonNode> elements = new ArrayList<>();
    list.forEach(elements::add);
    boolean isNumeric = elements.stream().allMatch(JsonNode::isNumber);
    if (!isNumeric && !elements.stream().allMatch(JsonNode::isTextual)) {
      throw Refusal.badArgument(
          "field [" + field.from().fill(document) + "] holds values that cannot be compared");
    }
    Comparator<JsonNode> order =
        isNumeric ? SortProcessor::compareNumbers : Comparator.comparing(JsonNode::asText);
    elements.sort(isDescending ? order.reversed() : order);
    field.write(document, JsonNodeFactory.instance.arrayNode().addAll(elements));
  }

  /// What no double holds (`1e999`) is compared as infinite.
  private static int compareNumbers(JsonNode a, JsonNode b) {
    boolean areFinite = Double.isFinite(a.doubleValue()) && Double.isFinite(b.doubleValue());
    return areFinite
        ? a.decimalValue().compareTo(b.decimalValue())
        : Double.compare(a.doubleValue(), b.doubleValue());
  }
}
