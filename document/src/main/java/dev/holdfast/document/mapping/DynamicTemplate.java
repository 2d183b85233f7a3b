package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.BoundedText;
import dev.holdfast.world.text.RegularExpressions;
import dev.holdfast.world.text.Wildcards;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/// A rule that maps new fields by their name, path and kind of value. One that says neither which
/// names nor which kinds applies only where a write asks for it.
///
/// @param isRuntime whether its fields are runtime fields
/// @param mapping of the fields
record DynamicTemplate(
    String name,
    List<Predicate<String>> match,
    List<Predicate<String>> unmatch,
    List<Predicate<String>> pathMatch,
    List<Predicate<String>> pathUnmatch,
    List<String> kinds,
    List<String> notKinds,
    boolean isRuntime,
    ObjectNode mapping) {
  private static final Set<String> KINDS =
      Set.of("*", "string", "long", "double", "boolean", "date", "object", "binary");
  private static final Set<String> RUNTIME_KINDS =
      Set.of("string", "long", "double", "boolean", "date");
  private static final Set<String> MEMBERS =
      Set.of(
          "match",
          "unmatch",
          "path_match",
          "path_unmatch",
          "match_mapping_type",
          "unmatch_mapping_type",
          "match_pattern",
          "mapping",
          "runtime");

  /// Reads `dynamic_templates`.
  static List<DynamicTemplate> list(@Nullable JsonNode json) {
    List<DynamicTemplate> templates = new ArrayList<>();
    if (json == null || json.isNull()) {
      return templates;
    }
    if (!json.isArray()) {
      throw MappingParser.fault(
          "Dynamic template syntax error. An array of named objects is expected.");
    }
    for (JsonNode entry : json) {
      if (!entry.isObject() || entry.size() != 1) {
        throw MappingParser.fault("A dynamic template must be defined with a name");
      }
      Map.Entry<String, JsonNode> named = entry.properties().iterator().next();
      templates.add(read(named.getKey(), named.getValue()));
    }
    return List.copyOf(templates);
  }

  /// Fields that fields of a template copy their values to, as far as no placeholder is in their
  /// names.
  List<String> copyTo() {
    return strings(mapping.get("copy_to")).stream().filter(name -> !name.contains("{")).toList();
  }

  private static DynamicTemplate read(String name, JsonNode json) {
    json.fieldNames()
        .forEachRemaining(member -> {
          if (!MEMBERS.contains(member)) {
            throw MappingParser.fault("Illegal dynamic template parameter: [" + member + "]");
          }
        });
    boolean isRegex = json.path("match_pattern").asText("simple").equals("regex");
    List<String> kinds = strings(json.get("match_mapping_type"));
    for (String kind : kinds) {
      if (!KINDS.contains(kind)) {
        throw MappingParser.fault(
            "No field type matched on ["
                + kind
                + "], possible values are [object, string, long, double, boolean, date, binary]");
      }
    }
    boolean isRuntime = json.has("runtime");
    JsonNode mapping = json.get(isRuntime ? "runtime" : "mapping");
    if (isRuntime) {
      checkRuntime(name, json, kinds);
    }
    if (mapping == null) {
      throw MappingParser.fault("template [" + name + "] must have either mapping or runtime set");
    }
    return new DynamicTemplate(
        name,
        patterns(json.get("match"), isRegex),
        patterns(json.get("unmatch"), isRegex),
        patterns(json.get("path_match"), isRegex),
        patterns(json.get("path_unmatch"), isRegex),
        kinds,
        strings(json.get("unmatch_mapping_type")),
        isRuntime,
        mapping instanceof ObjectNode object ? object : Json.object());
  }

  private static void checkRuntime(String name, JsonNode json, List<String> kinds) {
    if (json.has("mapping")) {
      throw MappingParser.fault(
          "mapping and runtime cannot be both specified in the same dynamic template ["
              + name
              + "]");
    }
    for (String kind : kinds) {
      if (!kind.equals("*") && !RUNTIME_KINDS.contains(kind)) {
        throw MappingParser.fault(
            "Dynamic template ["
                + name
                + "] defines a runtime field but type ["
                + kind
                + "] is not supported as runtime field");
      }
    }
    String type = json.path("runtime").path("type").asText("");
    boolean isKnown = type.isEmpty() || type.contains("{") || RuntimeFields.isType(type);
    if (!isKnown || json.path("runtime").has("script")) {
      throw Refusal.badArgument(
          "dynamic template ["
              + name
              + "] has invalid content ["
              + json
              + "]: "
              + (isKnown
                  ? "script_lang not supported [painless]"
                  : "No runtime field found for type [" + type + "]"));
    }
  }

  private static List<String> strings(@Nullable JsonNode json) {
    List<String> strings = new ArrayList<>();
    if (json != null && json.isArray()) {
      json.forEach(s -> strings.add(s.asText()));
    } else if (json != null && !json.isNull()) {
      strings.add(json.asText());
    }
    return strings;
  }

  private static List<Predicate<String>> patterns(@Nullable JsonNode json, boolean isRegex) {
    List<Predicate<String>> patterns = new ArrayList<>();
    for (String text : strings(json)) {
      try {
        patterns.add(
            isRegex
                ? regex(RegularExpressions.compile(text, 0))
                : name -> Wildcards.matches(text, name));
      } catch (PatternSyntaxException e) {
        throw MappingParser.fault("Pattern [" + text + "] of type [regex] is invalid.");
      }
    }
    return patterns;
  }

  boolean matches(String fieldName, String path, String kind) {
    boolean isGeneral =
        !match.isEmpty() || !pathMatch.isEmpty() || !kinds.isEmpty() || !notKinds.isEmpty();
    return isGeneral
        && (!isRuntime || RUNTIME_KINDS.contains(kind))
        && (kinds.isEmpty() || kinds.contains("*") || kinds.contains(kind))
        && !notKinds.contains(kind)
        && (match.isEmpty() || any(match, fieldName))
        && !any(unmatch, fieldName)
        && (pathMatch.isEmpty() || any(pathMatch, path))
        && !any(pathUnmatch, path);
  }

  private static Predicate<String> regex(Pattern pattern) {
    return name -> new BoundedText(name).matches(pattern);
  }

  private static boolean any(List<Predicate<String>> patterns, String text) {
    return patterns.stream().anyMatch(pattern -> pattern.test(text));
  }

  /// The mapping for a field, placeholders filled in.
  ///
  /// @param type what `{dynamic_type}` and a missing `type` mean
  static ObjectNode filled(ObjectNode mapping, String fieldName, String type) {
    ObjectNode filled = (ObjectNode) fill(mapping, fieldName, type);
    if (!filled.has("type") && !type.equals("object")) {
      filled.put("type", type);
    }
    return filled;
  }

  private static JsonNode fill(JsonNode json, String fieldName, String type) {
    if (json.isTextual()) {
      return TextNode.valueOf(placed(json.asText(), fieldName, type));
    }
    if (json instanceof ObjectNode object) {
      ObjectNode copy = object.objectNode();
      object
          .properties()
          .forEach(p ->
              copy.set(placed(p.getKey(), fieldName, type), fill(p.getValue(), fieldName, type)));
      return copy;
    }
    return json.deepCopy();
  }

  private static String placed(String text, String fieldName, String type) {
    return text.replace("{name}", fieldName)
        .replace("{dynamic_type}", type)
        .replace("{dynamicType}", type);
  }
}
