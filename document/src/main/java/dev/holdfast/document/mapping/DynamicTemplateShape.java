package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a request may say in `dynamic_templates`: a template that could make no field is refused
/// before a document comes that it should map.
final class DynamicTemplateShape {
  private static final List<String> KINDS =
      List.of("object", "string", "long", "double", "boolean", "date", "binary");
  private static final List<String> RUNTIME_KINDS =
      List.of("string", "long", "double", "boolean", "date");
  private static final List<String> MATCHES =
      List.of(
          "match",
          "unmatch",
          "path_match",
          "path_unmatch",
          "match_mapping_type",
          "unmatch_mapping_type");
  private static final String PLACE_OF_NAME = "{name}";

  /// What only the settings of an index know.
  private static final List<String> BY_SETTINGS =
      List.of("analyzer", "search_analyzer", "search_quote_analyzer", "normalizer", "similarity");

  private static final List<String> ANALYSIS = List.of("index.analysis.", "index.similarity.");

  private DynamicTemplateShape() {}

  /// @param settings of the index, null where they are not known
  /// @throws Refusal `mapper_parsing_exception`
  static void check(JsonNode templates, @Nullable SortedMap<String, Object> settings) {
    SortedMap<String, Object> analysis = settings == null ? null : new TreeMap<>(settings);
    if (analysis != null) {
      analysis.keySet().removeIf(name -> ANALYSIS.stream().noneMatch(name::startsWith));
    }
    for (JsonNode entry : templates) {
      for (Map.Entry<String, JsonNode> template : entry.properties()) {
        check(template.getKey(), template.getValue(), analysis);
      }
    }
  }

  private static void check(
      String name, JsonNode template, @Nullable SortedMap<String, Object> analysis) {
    for (String member : MATCHES) {
      JsonNode given = template.path(member);
      boolean isRight = !given.isNull();
      for (JsonNode one : given.isArray() ? given : Json.MAPPER.createArrayNode()) {
        isRight &= one.isTextual();
      }
      if (!isRight) {
        throw fault(
            "["
                + member
                + "] values must either be a string or list of strings, but was ["
                + given
                + "]");
      }
    }
    String pattern = template.path("match_pattern").asText("simple");
    if (!pattern.equals("simple") && !pattern.equals("regex")) {
      throw fault("No matching pattern matched on [" + pattern + "]");
    }
    for (String kind : List.of("mapping", "runtime")) {
      if (template.has(kind) && !template.path(kind).isObject()) {
        throw fault("[" + kind + "] of the dynamic template [" + name + "] must be an object");
      }
    }
    boolean isGeneral = MATCHES.stream().anyMatch(template::has); // else writes ask for it by name
    for (String section : List.of("mapping", "runtime")) {
      if (isGeneral
          && template.path(section) instanceof ObjectNode mapping
          && !mapping.toString().contains(PLACE_OF_NAME)) {
        requireField(name, template, section, mapping, analysis);
      }
    }
  }

  private static void requireField(
      String name,
      JsonNode template,
      String section,
      ObjectNode mapping,
      @Nullable SortedMap<String, Object> analysis) {
    List<String> kinds = new ArrayList<>();
    JsonNode given = template.path("match_mapping_type");
    (given.isArray() ? given : List.of(given)).forEach(kind -> kinds.add(kind.asText()));
    boolean isRuntime = section.equals("runtime");
    if (!KINDS.containsAll(kinds)) { // any kind, or one that is refused with a reason of its own
      kinds.clear();
      kinds.addAll(isRuntime ? RUNTIME_KINDS : KINDS);
    }
    Refusal first = null;
    for (String kind : kinds) {
      Refusal refusal = isRuntime ? refusal(mapping, kind) : refusal(mapping, kind, analysis);
      if (refusal == null) {
        return;
      }
      first = first == null ? refusal : first;
    }
    throw fault(
        "dynamic template ["
            + name
            + "] has invalid content ["
            + template
            + "], attempted to validate it with the following match_mapping_type: "
            + kinds
            + (first == null ? "" : ": " + first.reason()));
  }

  /// Why a runtime field can't be so; null when it can.
  private static @Nullable Refusal refusal(ObjectNode mapping, String kind) {
    ObjectNode whole = Json.object();
    whole
        .putObject("runtime")
        .set(
            "field",
            DynamicTemplate.filled(mapping, "field", kind.equals("string") ? "keyword" : kind));
    return refusal(whole, new TreeMap<>());
  }

  private static @Nullable Refusal refusal(
      ObjectNode mapping, String kind, @Nullable SortedMap<String, Object> analysis) {
    ObjectNode field =
        DynamicTemplate.filled(mapping, "field", kind.equals("string") ? "text" : kind);
    if (kind.equals("object") && !field.has("type")) {
      field.put("type", kind);
    }
    if (field.path("type").asText().equals("alias")) {
      return null; // what it stands for may be any field of the index
    }
    if (analysis == null) {
      field.remove(BY_SETTINGS);
      for (JsonNode multi : field.path("fields")) {
        if (multi instanceof ObjectNode of) {
          of.remove(BY_SETTINGS);
        }
      }
    }
    ObjectNode whole = Json.object();
    whole.putObject("properties").set("field", field);
    return refusal(whole, analysis == null ? new TreeMap<>() : analysis);
  }

  private static @Nullable Refusal refusal(ObjectNode whole, SortedMap<String, Object> settings) {
    try {
      MappingShape.check(whole);
      var _ = IndexMapping.create(whole, settings);
      return null;
    } catch (Refusal e) {
      return e;
    }
  }

  private static Refusal fault(String reason) {
    return MappingParser.fault(reason);
  }
}
