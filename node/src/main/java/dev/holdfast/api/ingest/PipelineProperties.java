package dev.holdfast.api.ingest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.IngestDocument;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// What a pipeline says of itself beside its processors, checked when it comes: `description`,
/// `version`, `_meta`, `deprecated`, `field_access_pattern`. Pipelines that are kept are not asked
/// again.
final class PipelineProperties {
  private static final String ACCESS = "field_access_pattern";

  private PipelineProperties() {}

  /// @throws Refusal `parse_exception` for a property of another kind
  static void check(String id, ObjectNode definition) {
    JsonNode description = definition.path("description");
    require(description.isTextual(), "description", "a string", description);
    JsonNode meta = definition.path("_meta");
    require(meta.isObject(), "_meta", "a map", meta);
    JsonNode deprecated = definition.path("deprecated");
    require(deprecated.isBoolean(), "deprecated", "a boolean", deprecated);
    JsonNode version = definition.path("version");
    if (isSaid(version) && !isInt(version)) {
      throw wrong("version", "property cannot be converted to an int [" + text(version) + "]");
    }
    JsonNode access = definition.path(ACCESS);
    require(access.isTextual(), ACCESS, "a string", access);
    if (isSaid(access) && !access.asText().equals("classic")) {
      throw new Refusal(
          ErrorType.PARSE,
          "pipeline ["
              + id
              + "] doesn't support value of ["
              + access.asText()
              + "] for parameter ["
              + ACCESS
              + "]"
              + (access.asText().equals("flexible")
                  ? ": fields are named by their paths only"
                  : ""));
    }
  }

  private static boolean isSaid(JsonNode value) {
    return !value.isMissingNode() && !value.isNull();
  }

  private static void require(boolean isRight, String name, String kind, JsonNode value) {
    if (isSaid(value) && !isRight) {
      throw wrong(
          name,
          "property isn't " + kind + ", but of type [" + IngestDocument.typeName(value) + "]");
    }
  }

  private static Refusal wrong(String name, String why) {
    return new Refusal(ErrorType.PARSE, "[" + name + "] " + why).with("property_name", name);
  }

  private static boolean isInt(JsonNode value) {
    return value.isNumber()
        ? value.canConvertToInt() && value.isIntegralNumber()
        : value.isTextual() && value.asText().matches("[-+]?[0-9]{1,9}");
  }

  private static String text(JsonNode value) {
    return value.isValueNode() ? value.asText() : value.toString();
  }
}
