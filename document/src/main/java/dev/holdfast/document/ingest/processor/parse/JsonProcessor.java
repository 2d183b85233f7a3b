package dev.holdfast.document.ingest.processor.parse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.FieldPath;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.document.ingest.PipelineParser;
import dev.holdfast.document.ingest.Processor;
import dev.holdfast.document.ingest.ProcessorConfig;
import dev.holdfast.document.ingest.TextTemplate;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.JsonMemory;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// `json`: the value that a text of JSON is.
///
/// @param addsToRoot the members of the object become fields of the document
/// @param reader says whether members of an object may have one name, and whether something may
///   follow the value
public record JsonProcessor(
    TextTemplate field,
    @Nullable String target,
    boolean addsToRoot,
    boolean merges,
    ObjectReader reader)
    implements Processor {
  /// Memory of a tree for each character of its JSON, at least.
  private static final long TREE_FACTOR = 10;

  /// Of members of one name the last counts.
  private static final JsonMapper LENIENT =
      JsonMapper.builder(
              Json.MAPPER
                  .getFactory()
                  .copy()
                  .disable(StreamReadFeature.STRICT_DUPLICATE_DETECTION.mappedFeature()))
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  public static Processor of(ProcessorConfig config, PipelineParser parsing) {
    String field = config.requiredString("field");
    String target = config.string("target_field");
    boolean addsToRoot = config.flag("add_to_root", false);
    String strategy = config.string("add_to_root_conflict_strategy");
    if (addsToRoot && target != null) {
      throw config.wrong(
          "target_field", "Cannot set a target field while also setting `add_to_root` to true");
    }
    if (strategy != null && !addsToRoot) {
      throw config.wrong(
          "add_to_root_conflict_strategy",
          "Cannot set `add_to_root_conflict_strategy` if `add_to_root` is false");
    }
    if (strategy != null && !strategy.equals("replace") && !strategy.equals("merge")) {
      throw config.wrong(
          "add_to_root_conflict_strategy", "conflict strategy [" + strategy + "] not supported");
    }
    return new JsonProcessor(
        TextTemplate.of(field),
        target,
        addsToRoot,
        "merge".equals(strategy),
        reader(
            config.flag("allow_duplicate_keys", false), config.flag("strict_json_parsing", true)));
  }

  /// @param allowsDuplicates whether members of an object may have one name; the last counts
  /// @param isStrict whether the text is one value and nothing behind it
  private static ObjectReader reader(boolean allowsDuplicates, boolean isStrict) {
    ObjectReader reader = (allowsDuplicates ? LENIENT : Json.MAPPER).reader();
    return isStrict ? reader : reader.without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  }

  @Override
  public void apply(IngestDocument document) {
    FieldPath path = field.path(document);
    JsonNode text = document.require(path);
    if (text.isObject() && !text.isEmpty()) {
      throw Refusal.badArgument("field [" + path.text() + "] holds an object, no text of JSON");
    }
    if (text.isTextual()) {
      byte[] json = text.textValue().getBytes(StandardCharsets.UTF_8);
      long tree = JsonMemory.ofText(json, 0, json.length);
      document.grow(Math.max(tree, TREE_FACTOR * text.textValue().length()));
    }
    JsonNode parsed = parsed(text);
    if (!addsToRoot) {
      document.set(target == null ? path : FieldPath.of(target), parsed);
    } else if (parsed instanceof ObjectNode object) {
      add(document.source(), object, merges);
    } else {
      throw Refusal.badArgument("cannot add non-map fields to root of document");
    }
  }

  private JsonNode parsed(JsonNode text) {
    String json = text.isContainerNode() ? text.toString() : text.asText();
    try {
      return reader.readTree(json.isEmpty() ? "null" : json);
    } catch (JsonProcessingException e) {
      throw new Refusal(
          dev.holdfast.world.ErrorType.ILLEGAL_ARGUMENT,
          e.getOriginalMessage(),
          new Refusal(dev.holdfast.world.ErrorType.JSON_PARSE, e.getOriginalMessage()));
    }
  }

  private static void add(ObjectNode to, ObjectNode from, boolean merges) {
    from.properties()
        .forEach(member -> {
          if (merges
              && to.get(member.getKey()) instanceof ObjectNode before
              && member.getValue() instanceof ObjectNode more) {
            add(before, more, true);
          } else {
            to.set(member.getKey(), member.getValue());
          }
        });
  }
}
