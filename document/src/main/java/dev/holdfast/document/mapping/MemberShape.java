package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// What a client may not write beside each other in a mapping, although a mapping that has it
/// opens: parameters of objects and fields that mean nothing to them.
final class MemberShape {
  private static final Set<String> OF_ALIASES = Set.of("type", "path");

  /// Words of `dynamic` that are no booleans, in any case.
  private static final Set<String> MODES = Set.of("strict", "runtime", "strict_allow_templates");

  private MemberShape() {}

  /// @param json an object, nested objects, or a whole mapping
  /// @throws dev.holdfast.world.Refusal `mapper_parsing_exception`
  static void object(String name, JsonNode json) {
    String dynamic = json.path("dynamic").asText("false");
    if (!dynamic.equals("true")
        && !dynamic.equals("false")
        && !MODES.contains(dynamic.toLowerCase(Locale.ROOT))) {
      throw MappingShape.fault("Could not convert [dynamic.dynamic] to boolean");
    }
    if (json.path("subobjects").asText().equals("auto")) {
      throw MappingShape.fault("unknown subobjects value: auto");
    }
    if (json.path("type").asText().equals("nested")
        && json.path("synthetic_source_keep").asText().equals("arrays")) {
      throw MappingShape.fault(
          "parameter [ synthetic_source_keep ] can't be set to [arrays] for nested object ["
              + name
              + "]");
    }
  }

  /// @param json a field
  /// @throws dev.holdfast.world.Refusal `mapper_parsing_exception`
  static void field(String name, String type, JsonNode json) {
    switch (type) {
      case "passthrough" -> object(name, json);
      case "alias" -> {
        for (Map.Entry<String, JsonNode> one : json.properties()) {
          if (!OF_ALIASES.contains(one.getKey())) {
            throw MappingShape.fault(
                "Mapping definition for ["
                    + name
                    + "] has unsupported parameters:  ["
                    + one.getKey()
                    + " : "
                    + text(one.getValue())
                    + "]");
          }
        }
      }
      case "dense_vector" -> {
        if (json.has("store")) {
          throw MappingShape.fault(
              "unknown parameter [store] on mapper [" + name + "] of type [dense_vector]");
        }
      }
      case "sparse_vector" -> {
        if (json.hasNonNull("index_options") && !json.path("index_options").isObject()) {
          throw MappingShape.fault("index_options should be a map");
        }
      }
      case "flattened" -> {
        for (String none : List.of("copy_to", "fields")) {
          JsonNode given = json.path(none);
          if (given.isContainerNode() ? !given.isEmpty() : json.hasNonNull(none)) {
            throw MappingShape.fault(
                "flattened field [" + name + "] does not support [" + none + "]");
          }
        }
      }
      default -> {}
    }
  }

  /// @param of the field that has it
  /// @param json a field under another's `fields`
  /// @throws dev.holdfast.world.Refusal `mapper_parsing_exception`
  static void multiField(String of, String name, JsonNode json) {
    if (json.has("fields")) {
      throw MappingShape.fault(
          "Encountered a multi-field ["
              + name
              + "] which itself contains a multi-field. Defining chained multi-fields is not"
              + " supported.");
    }
    JsonNode targets = json.path("copy_to");
    if (targets.isContainerNode() ? !targets.isEmpty() : json.hasNonNull("copy_to")) {
      throw MappingShape.fault(
          "[copy_to] may not be used to copy from a multi-field: [" + of + "." + name + "]");
    }
  }

  private static String text(JsonNode value) {
    return value.isValueNode() ? value.asText() : value.toString();
  }
}
