package dev.holdfast.document.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.context.ConditionScript;
import dev.holdfast.world.Clock;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Makes pipelines of their definitions: `{"description", "version", "_meta", "deprecated",
/// "processors", "on_failure"}`.
///
/// @param types the processors there are
/// @param pipelines those that `pipeline` processors call
/// @param clock the time, for dates without a year
public record PipelineParser(Registry<ProcessorType> types, Pipelines pipelines, Clock clock) {
  private static final List<String> KNOWN =
      List.of(
          "description",
          "version",
          "_meta",
          "deprecated",
          "processors",
          "on_failure",
          "field_access_pattern",
          "created_date_millis",
          "modified_date_millis");

  /// @throws Refusal `parse_exception` when the definition is wrong
  public IngestPipeline pipeline(String id, ObjectNode definition) {
    JsonNode processors = definition.get("processors");
    if (processors == null || processors.isNull()) {
      throw new Refusal(ErrorType.PARSE, "[processors] required property is missing")
          .with("property_name", "processors");
    }
    List<String> rest = new ArrayList<>();
    definition.fieldNames().forEachRemaining(rest::add);
    rest.removeAll(KNOWN);
    List<Step> steps = steps(processors, "processors");
    List<Step> onFailure = List.of();
    if (definition.hasNonNull("on_failure")) {
      onFailure = steps(definition.get("on_failure"), "on_failure");
      if (onFailure.isEmpty()) {
        throw new Refusal(
            ErrorType.PARSE,
            "pipeline [" + id + "] cannot have an empty on_failure option defined");
      }
    }
    if (!rest.isEmpty()) {
      throw new Refusal(
          ErrorType.PARSE,
          "pipeline ["
              + id
              + "] doesn't support one or more provided configuration parameters "
              + rest);
    }
    return new IngestPipeline(id, steps, onFailure);
  }

  private List<Step> steps(JsonNode list, String name) {
    if (!list.isArray()) {
      throw new Refusal(
              ErrorType.PARSE,
              "["
                  + name
                  + "] property isn't a list, but of type ["
                  + IngestDocument.typeName(list)
                  + "]")
          .with("property_name", name);
    }
    List<Step> steps = new ArrayList<>();
    for (JsonNode element : list) {
      if (!element.isObject()) {
        throw new Refusal(
                ErrorType.PARSE,
                "["
                    + name
                    + "] a processor is an object, but found one of type ["
                    + IngestDocument.typeName(element)
                    + "]")
            .with("property_name", name);
      }
      for (Map.Entry<String, JsonNode> member : element.properties()) {
        steps.add(step(member.getKey(), member.getValue()));
      }
    }
    return List.copyOf(steps);
  }

  /// One processor in its place.
  public Step step(String type, JsonNode definition) {
    ProcessorType known = types.get(type);
    if (known == null) {
      throw new Refusal(ErrorType.PARSE, "No processor type exists with name [" + type + "]")
          .with("processor_type", type);
    }
    ProcessorConfig config = new ProcessorConfig(type, members(type, definition));
    String tag = config.common("tag", false);
    String description = config.common("description", true);
    boolean ignoresFailure = config.commonFlag("ignore_failure");
    ScriptContext.Given condition = condition(config);
    List<Step> onFailure = onFailure(config);
    Processor processor = processor(known, config);
    config.done();
    return new Step(type, tag, description, condition, ignoresFailure, onFailure, processor);
  }

  private Processor processor(ProcessorType type, ProcessorConfig config) {
    try {
      return type.of(config, this);
    } catch (Refusal e) {
      throw e.metadata().containsKey("processor_type") ? e : config.tagged(e);
    }
  }

  /// A script may be its text alone.
  private static ObjectNode members(String type, JsonNode definition) {
    if (definition.isTextual() && type.equals("script")) {
      return Json.object().put("source", definition.asText());
    }
    if (definition instanceof ObjectNode object) {
      return object;
    }
    throw new Refusal(
            ErrorType.PARSE,
            "property isn't a map, but of type [" + IngestDocument.typeName(definition) + "]")
        .with("processor_type", type);
  }

  private ScriptContext.@Nullable Given condition(ProcessorConfig config) {
    JsonNode given = config.take("if");
    if (given == null) {
      return null;
    }
    if (!given.isTextual() && !given.isObject()) {
      throw new Refusal(
              ErrorType.PARSE,
              "[script] property isn't a map or string, but of type ["
                  + IngestDocument.typeName(given)
                  + "]")
          .with("processor_type", "conditional")
          .with("property_name", "script");
    }
    try {
      ScriptContext.Given condition = ScriptContext.given(given, pipelines);
      var _ = Scripts.compiled(condition.now(), ConditionScript.PROCESSOR);
      return condition;
    } catch (Refusal e) {
      throw config.tagged(e);
    }
  }

  private List<Step> onFailure(ProcessorConfig config) {
    JsonNode handlers = config.take("on_failure");
    if (handlers == null) {
      return List.of();
    }
    List<Step> onFailure = steps(handlers, "on_failure");
    if (onFailure.isEmpty()) {
      throw config.wrong("on_failure", "processors list cannot be empty");
    }
    return onFailure;
  }
}
