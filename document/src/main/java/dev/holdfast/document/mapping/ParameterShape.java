package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.MissingResourceException;

/// Values of parameters of fields that a client may not write, although a mapping that has them
/// opens: numbers that are none or mean nothing, and unknown members of parameters that are
/// objects.
final class ParameterShape {
  /// What HNSW graphs of Lucene may have.
  private static final int LINKS_MAX = 512;

  private static final int BEAM_MAX = 3200;
  private static final int OVERSAMPLE_MAX = 10;
  private static final int PREFIX_MAX = 20;

  private ParameterShape() {}

  /// @param field its name, for messages
  /// @param type of the field
  /// @param value not null
  /// @throws Refusal `mapper_parsing_exception`
  static void check(String field, String type, String parameter, JsonNode value) {
    switch (parameter) {
      case "position_increment_gap", "depth_limit" ->
          requireAtLeast(0, parameter, whole(parameter, value));
      case "max_input_length" -> {
        int _ = whole(parameter, value);
      }
      case "ignore_above" -> {
        int length = whole(parameter, value);
        if (type.equals("flattened")) {
          requireAtLeast(0, parameter, length);
        }
      }
      case "index_prefixes" -> prefixes(field, value);
      case "fielddata_frequency_filter" -> frequencies(field, value);
      case "copy_to" -> {
        if (value.isObject()) {
          throw MappingShape.fault("[copy_to] must hold names of fields, found [" + value + "]");
        }
        for (JsonNode name : value) {
          if (!name.isValueNode() || name.isNull()) {
            throw MappingShape.fault("[copy_to] must hold names of fields, found [" + name + "]");
          }
        }
      }
      case "locale" -> locale(value);
      case "null_value" -> {
        if (type.equals("boolean") && !isFlag(value)) {
          throw MappingShape.fault(
              "Failed to parse value [" + text(value) + "] as only [true] or [false] are allowed.");
        } else if (type.equals("rank_feature")) {
          double _ = number(parameter, value);
        }
      }
      case "index_options" -> {
        if (type.equals("dense_vector")) {
          vectors(value);
        } else if (type.equals("sparse_vector")) {
          members(field, parameter, value, List.of("prune", "pruning_config"));
        } else if (type.equals("flattened") && !List.of("docs", "freqs").contains(value.asText())) {
          throw MappingShape.fault(
              "Unknown value ["
                  + text(value)
                  + "] for field [index_options] - accepted values are [docs, freqs]");
        }
      }
      case "contexts" -> contexts(value);
      default -> {}
    }
  }

  private static boolean isFlag(JsonNode value) {
    return value.isValueNode() && (value.asText().equals("true") || value.asText().equals("false"));
  }

  private static String text(JsonNode value) {
    return value.isValueNode() ? value.asText() : value.toString();
  }

  private static void prefixes(String field, JsonNode value) {
    members(field, "index_prefixes", value, List.of("min_chars", "max_chars"));
    int min = value.hasNonNull("min_chars") ? whole("min_chars", value.path("min_chars")) : 2;
    int max = value.hasNonNull("max_chars") ? whole("max_chars", value.path("max_chars")) : 5;
    requireAtLeast(1, "min_chars", min);
    if (max < min || max >= PREFIX_MAX) {
      throw MappingShape.fault(
          "max_chars ["
              + max
              + "] must be at least min_chars ["
              + min
              + "] and less than "
              + PREFIX_MAX);
    }
  }

  private static void frequencies(String field, JsonNode value) {
    members(field, "fielddata_frequency_filter", value, List.of("min", "max", "min_segment_size"));
    for (Map.Entry<String, JsonNode> one : value.properties()) {
      if (one.getKey().equals("min_segment_size") && !one.getValue().isNull()) {
        int _ = whole(one.getKey(), one.getValue());
      } else if (!one.getValue().isNull()) {
        double _ = number(one.getKey(), one.getValue());
      }
    }
  }

  private static void locale(JsonNode value) {
    String language = text(value).split("[-_]", 2)[0];
    if (language.equalsIgnoreCase("ROOT")) {
      return;
    }
    try {
      if (!value.isValueNode() || Locale.of(language).getISO3Language().isEmpty()) {
        boolean isRoot = value.isTextual() && language.isEmpty();
        if (!isRoot) {
          throw MappingShape.fault("Unknown language: " + text(value));
        }
      }
    } catch (MissingResourceException e) {
      throw MappingShape.fault("Unknown language: " + text(value), e);
    }
  }

  private static void vectors(JsonNode options) {
    requireUpTo(LINKS_MAX, "m", options);
    requireUpTo(BEAM_MAX, "ef_construction", options);
    if (options.hasNonNull("confidence_interval")) {
      double _ = number("confidence_interval", options.path("confidence_interval"));
    }
    JsonNode again = options.path("rescore_vector");
    if (again.isMissingNode() || again.isNull()) {
      return;
    }
    if (!again.isObject()) {
      throw MappingShape.fault("rescore_vector should be a map but was [" + text(again) + "]");
    }
    JsonNode oversample = again.path("oversample");
    if (oversample.isMissingNode() || oversample.isNull()) {
      throw MappingShape.fault("Invalid rescore_vector value. Missing required field oversample");
    }
    double factor = number("oversample", oversample);
    if (factor != 0 && !(factor >= 1 && factor <= OVERSAMPLE_MAX)) {
      throw MappingShape.fault(
          "Invalid rescore_vector value. [oversample] must be 0, or from 1 to "
              + OVERSAMPLE_MAX
              + ", but is ["
              + text(oversample)
              + "]");
    }
  }

  private static void requireUpTo(int max, String name, JsonNode options) {
    if (!options.hasNonNull(name)) {
      return;
    }
    int given = whole(name, options.path(name));
    if (given < 1 || given > max) {
      throw MappingShape.fault(
          "[" + name + "] must be from 1 to " + max + ", but is [" + given + "]");
    }
  }

  private static void contexts(JsonNode value) {
    if (value.isArray() && value.isEmpty()) {
      throw MappingShape.fault("expected at least one context mapping");
    }
    for (JsonNode context : value.isArray() ? value : List.of(value)) {
      if (!context.isObject()) {
        throw MappingShape.fault("a context mapping must be an object, found [" + context + "]");
      }
      if (context.path("name").isNull()) {
        throw MappingShape.fault("missing [name] in context mapping");
      }
      boolean isPlace = context.path("type").asText().equals("geo");
      members(
          text(context.path("name")),
          "contexts",
          context,
          isPlace ? List.of("name", "type", "path", "precision") : List.of("name", "type", "path"));
      JsonNode precision = context.path("precision");
      boolean isSize =
          precision.isNumber()
              || (precision.isTextual()
                  && precision.asText().matches("\\d+(\\.\\d+)?\\s*[a-zA-Z]*"));
      if (!precision.isMissingNode() && !isSize) {
        throw MappingShape.fault(
            "[precision] must be a length or the size of a cell, [5km], but is ["
                + text(precision)
                + "]");
      }
    }
  }

  private static void members(String of, String parameter, JsonNode value, List<String> known) {
    if (!value.isObject()) {
      throw MappingShape.fault("[" + parameter + "] must be an object, found [" + value + "]");
    }
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      if (!known.contains(member.getKey())) {
        throw MappingShape.fault(
            "Mapping definition for ["
                + of
                + "] has unsupported parameters:  ["
                + member.getKey()
                + " : "
                + text(member.getValue())
                + "]");
      }
    }
  }

  private static void requireAtLeast(int min, String name, int given) {
    if (given < min) {
      throw MappingShape.fault("[" + name + "] must be positive, got [" + given + "]");
    }
  }

  /// A number without a fraction, or one in text.
  private static int whole(String name, JsonNode value) {
    double number = number(name, value);
    if (number != Math.rint(number)) {
      throw MappingShape.fault(text(value) + " is not an integer value");
    }
    if (number != (int) number) {
      throw MappingShape.fault("integer overflow");
    }
    return (int) number;
  }

  private static double number(String name, JsonNode value) {
    try {
      if (value.isNumber() || value.isTextual()) {
        return Double.parseDouble(value.asText());
      }
    } catch (NumberFormatException e) {
      throw MappingShape.fault("[" + name + "]: " + e.getMessage(), e);
    }
    throw MappingShape.fault("[" + name + "]: For input string: \"" + text(value) + "\"");
  }
}
