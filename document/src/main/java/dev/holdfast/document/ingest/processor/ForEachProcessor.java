package dev.holdfast.document.ingest.processor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.Step;
import dev.holdfast.document.ingest.TextTemplate;
import dev.holdfast.document.ingest.ValueSize;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// `foreach`: one processor for each element of a list, or each member of an object, found under
/// `_ingest._value` and `_ingest._key`.
record ForEachProcessor(TextTemplate field, Step step, boolean isMissingIgnored)
    implements Processor {
  private static final String VALUE = "_value";
  private static final String KEY = "_key";

  static Processor of(ProcessorConfig config, PipelineParser parsing) {
    TextTemplate field = TextTemplate.of(config.requiredString("field"));
    var _ = config.required("processor");
    ObjectNode processor = config.map("processor");
    if (processor == null || processor.size() != 1) {
      throw config.wrong("processor", "Must specify exactly one processor type");
    }
    Map.Entry<String, JsonNode> only = processor.properties().iterator().next();
    return new ForEachProcessor(
        field, parsing.step(only.getKey(), only.getValue()), config.flag("ignore_missing", false));
  }

  @Override
  public void apply(IngestDocument document) {
    FieldPath path = field.path(document);
    JsonNode values = isMissingIgnored ? document.find(path) : document.require(path);
    if (values == null || values.isNull()) {
      if (isMissingIgnored) {
        return;
      }
      throw Refusal.badArgument(
          "field [" + path.text() + "] is null, cannot loop over its elements.");
    }
    JsonNode keptValue = document.ingest().get(VALUE);
    JsonNode keptKey = document.ingest().get(KEY);
    try {
      document.untraced(() -> each(document, path, values));
    } finally {
      restore(document, VALUE, keptValue);
      restore(document, KEY, keptKey);
    }
  }

  private void each(IngestDocument document, FieldPath path, JsonNode values) {
    switch (values) {
      case ArrayNode list -> {
        document.grow((long) ValueSize.ELEMENT_BYTES * list.size());
        ArrayNode changed = JsonNodeFactory.instance.arrayNode();
        List<JsonNode> elements = new ArrayList<>(); // steps may change the list itself
        list.forEach(elements::add);
        for (JsonNode element : elements) {
          document.ingest().set(VALUE, element);
          step.run(document);
          changed.add(document.ingest().get(VALUE));
        }
        document.set(path, changed);
      }
      case ObjectNode object -> {
        ObjectNode changed = Json.object();
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
          document.ingest().set(VALUE, object.get(name));
          document.ingest().put(KEY, name);
          step.run(document);
          String key = document.ingest().path(KEY).asText();
          if (!key.isBlank()) { // else the processor has taken the member away
            changed.set(key, document.ingest().get(VALUE));
          }
        }
        document.set(path, changed);
      }
      default ->
          throw Refusal.badArgument(
              "field ["
                  + path.text()
                  + "] of type ["
                  + IngestDocument.typeName(values)
                  + "] cannot be cast to a list or map");
    }
  }

  private static void restore(
      IngestDocument document, String name, @org.jspecify.annotations.Nullable JsonNode kept) {
    if (kept == null) {
      document.ingest().remove(name);
    } else {
      document.ingest().set(name, kept);
    }
  }
}
