package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/// What a client may not write in a mapping, although it says nothing: null, and values of another
/// kind. It is asked of requests, not of mappings that are there, so that every index opens.
public final class MappingShape {
  /// Parameters of fields that may be null.
  private static final Set<String> NULLABLE =
      Set.of(
          "index_options",
          "index_prefixes",
          "normalizer",
          "null_value",
          "path",
          "script",
          "similarity",
          "time_series_metric",
          "value");

  /// Parameters of fields that are kept and shown, but mean nothing here.
  private static final List<String> FLAGS =
      List.of(
          "store",
          "ignore_z_value",
          "eager_global_ordinals",
          "split_queries_on_whitespace",
          "time_series_dimension");

  private static final List<String> MODES = List.of("stored", "synthetic", "disabled");

  /// What Elasticsearch allows of `meta`: entries, and characters of their names and values.
  private static final int META_MAX = 5;

  private static final int META_NAME_MAX = 20;
  private static final int META_VALUE_MAX = 50;

  private MappingShape() {}

  /// @param mapping the value of `mappings`
  /// @throws Refusal `mapper_parsing_exception`
  public static void check(ObjectNode mapping) {
    for (String name : List.of("_source", "_routing", "_meta")) {
      JsonNode given = mapping.path(name);
      boolean isLeftOut = given.isMissingNode() || (given.isNull() && name.equals("_meta"));
      if (!isLeftOut && !given.isObject()) {
        throw fault("[" + name + "] config must be an object");
      }
    }
    sources(mapping.path("_source"));
    if (mapping.path("runtime").isNull()) {
      throw fault("runtime must be a map type");
    }
    if (mapping.path("dynamic_templates").isNull()) {
      throw fault("Dynamic template syntax error. An array of named objects is expected.");
    }
    DynamicTemplateShape.check(mapping.path("dynamic_templates"), null);
    JsonNode formats = mapping.path("dynamic_date_formats");
    for (JsonNode format : formats.isArray() ? formats : List.of(formats)) {
      if (!format.isMissingNode() && !format.isTextual()) {
        throw fault("Invalid format: [" + format + "]: expected string value");
      }
      if (format.asText().startsWith("epoch_")) {
        throw fault("Epoch [" + format.asText() + "] is not supported as dynamic date format");
      }
    }
    MemberShape.object("_doc", mapping);
    properties(mapping);
  }

  private static void sources(JsonNode source) {
    JsonNode mode = source.path("mode");
    if (!mode.isMissingNode() && !MODES.contains(mode.asText().toLowerCase(Locale.ROOT))) {
      throw fault("unknown [mode] of [_source]: [" + mode.asText() + "], known are " + MODES);
    }
    for (String name : List.of("includes", "excludes")) {
      if (source.path(name).isObject()) {
        throw fault("[" + name + "] of [_source] must be a list, found [" + source.get(name) + "]");
      }
    }
  }

  /// Refuses dynamic templates with an analyzer, a normalizer or a similarity that the index does
  /// not have: each document that they are for would be refused.
  ///
  /// @param mapping the value of `mappings`
  /// @param settings of the index
  /// @throws Refusal `mapper_parsing_exception`
  public static void checkTemplates(ObjectNode mapping, SortedMap<String, Object> settings) {
    DynamicTemplateShape.check(mapping.path("dynamic_templates"), settings);
  }

  private static void properties(JsonNode object) {
    JsonNode properties = object.path("properties");
    if (properties.isNull()) {
      throw fault("properties must be a map type");
    }
    for (Map.Entry<String, JsonNode> property : properties.properties()) {
      member(property.getKey(), property.getValue());
    }
  }

  private static void member(String name, JsonNode json) {
    String type = json.path("type").asText("");
    boolean isSwitched = json.size() == 1 && json.has("enabled");
    if (json.isObject() && type.isEmpty() && !json.has("properties") && !isSwitched) {
      throw fault("No type specified for field [" + name + "]");
    }
    if (json.has("properties")
        || type.isEmpty()
        || type.equals("object")
        || type.equals("nested")) {
      MemberShape.object(name, json);
      properties(json);
      return;
    }
    MemberShape.field(name, type, json);
    for (Map.Entry<String, JsonNode> parameter : json.properties()) {
      parameter(name, type, parameter.getKey(), parameter.getValue());
    }
    for (Map.Entry<String, JsonNode> field : json.path("fields").properties()) {
      MemberShape.multiField(name, field.getKey(), field.getValue());
      member(field.getKey(), field.getValue());
    }
  }

  /// A few short texts by name.
  static void meta(String field, JsonNode meta) {
    if (!meta.isObject()) {
      throw fault("[meta] must be an object, got " + meta + " for field [" + field + "]");
    }
    if (meta.size() > META_MAX) {
      throw fault(
          "[meta] can't have more than "
              + META_MAX
              + " entries, but got "
              + meta.size()
              + " on field ["
              + field
              + "]");
    }
    for (Map.Entry<String, JsonNode> one : meta.properties()) {
      if (one.getKey().length() > META_NAME_MAX) {
        throw fault(
            "[meta] keys can't be longer than "
                + META_NAME_MAX
                + " chars, but got ["
                + one.getKey()
                + "] for field ["
                + field
                + "]");
      }
      if (!one.getValue().isTextual()) {
        throw fault(
            "[meta] values can only be strings, but got "
                + one.getValue()
                + " for field ["
                + field
                + "]");
      }
      if (one.getValue().asText().length() > META_VALUE_MAX) {
        throw fault(
            "[meta] values can't be longer than "
                + META_VALUE_MAX
                + " chars, but got ["
                + one.getValue().asText()
                + "] for field ["
                + field
                + "]");
      }
    }
  }

  private static void parameter(String name, String type, String parameter, JsonNode value) {
    if (parameter.equals("meta")) {
      meta(name, value);
    }
    if (parameter.equals("fields") && (value.isNull() || value.isValueNode())) {
      throw fault("expected map for property [fields] on field [" + name + "] but got " + value);
    }
    if (value.isNull() && (!NULLABLE.contains(parameter) || isOptions(type, parameter))) {
      throw fault(
          "["
              + parameter
              + "] on mapper ["
              + name
              + "] of type ["
              + type
              + "] must not have a [null] value");
    }
    if (FLAGS.contains(parameter)
        && !value.asText("").equals("true")
        && !value.asText("").equals("false")) {
      throw fault(
          "Failed to parse value ["
              + (value.isValueNode() ? value.asText() : value.toString())
              + "] as only [true] or [false] are allowed.");
    }
    if (!value.isNull()) {
      ParameterShape.check(name, type, parameter, value);
    }
    if (parameter.equals("dims") && !value.isIntegralNumber()) {
      throw fault(
          "Property [dims] on field ["
              + name
              + "] must be an integer but got ["
              + value.asText()
              + "]");
    }
  }

  /// Only vectors have options that may be null.
  private static boolean isOptions(String type, String parameter) {
    return parameter.equals("index_options") && !type.endsWith("_vector");
  }

  static Refusal fault(String reason) {
    return new Refusal(ErrorType.MAPPER_PARSING, "Failed to parse mapping: " + reason);
  }

  static Refusal fault(String reason, Throwable cause) {
    return new Refusal(ErrorType.MAPPER_PARSING, "Failed to parse mapping: " + reason, cause);
  }
}
