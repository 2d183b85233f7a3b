package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.date.DateFormat;
import dev.holdfast.document.mapping.tree.SourcePatterns;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// What a mapping says beside its fields: detection, templates, and the metadata fields' options.
///
/// @param json as given, in the order it is shown
/// @param dateFormats for date detection
record RootOptions(
    ObjectNode json,
    boolean detectsDates,
    boolean detectsNumbers,
    List<DateFormat> dateFormats,
    List<DynamicTemplate> templates,
    boolean isSourceEnabled,
    SourcePatterns sourcePatterns,
    boolean isRoutingRequired,
    boolean requiresTimestamp) {
  private static final List<String> NAMES =
      List.of(
          "dynamic_date_formats",
          "dynamic_templates",
          "date_detection",
          "numeric_detection",
          "_data_stream_timestamp",
          "_meta",
          "_routing",
          "_source",
          "runtime");
  private static final List<String> DATE_FORMATS =
      List.of("strict_date_optional_time", "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis");
  private static final List<String> FIELDS =
      List.of("properties", "dynamic", "enabled", "subobjects");

  /// A whole mapping: old clients wrap it in the type name.
  static ObjectNode unwrapped(ObjectNode mapping) {
    return mapping.size() == 1 && mapping.get("_doc") instanceof ObjectNode inner ? inner : mapping;
  }

  /// Reads the options of a whole mapping and refuses members that nobody knows.
  static RootOptions of(ObjectNode mapping) {
    ObjectNode json = Json.object();
    for (String name : NAMES) {
      if (mapping.has(name)) {
        json.set(name, own(name, mapping.get(name)));
      }
    }
    List<String> unknown = new ArrayList<>();
    for (Map.Entry<String, JsonNode> member : mapping.properties()) {
      if (!NAMES.contains(member.getKey()) && !FIELDS.contains(member.getKey())) {
        unknown.add("[" + member.getKey() + " : " + member.getValue() + "]");
      }
    }
    if (!unknown.isEmpty()) {
      throw MappingParser.fault(
          "Root mapping definition has unsupported parameters:  " + String.join(" ", unknown));
    }
    return read(json);
  }

  private static RootOptions read(ObjectNode json) {
    checkMembers(json, "_source", List.of("enabled", "includes", "excludes", "mode"));
    checkMembers(json, "_routing", List.of("required"));
    checkMembers(json, "_data_stream_timestamp", List.of("enabled"));
    RuntimeFields.requireObject(json.get("runtime"));
    return new RootOptions(
        json,
        flag(json, "date_detection", true),
        flag(json, "numeric_detection", false),
        formats(json.get("dynamic_date_formats")),
        DynamicTemplate.list(json.get("dynamic_templates")),
        flag(json.path("_source"), "enabled", true),
        SourcePatterns.read(json.path("_source")),
        flag(json.path("_routing"), "required", false),
        flag(json.path("_data_stream_timestamp"), "enabled", false));
  }

  private static void checkMembers(ObjectNode json, String field, List<String> known) {
    json.path(field)
        .fieldNames()
        .forEachRemaining(name -> {
          if (!known.contains(name)) {
            throw MappingParser.fault(
                "unknown parameter [" + name + "] on metadata field [" + field + "]");
          }
        });
  }

  /// As it is shown: that sources are kept goes without saying.
  ObjectNode shown() {
    ObjectNode shown = Json.object();
    json.properties().forEach(one -> shown.set(one.getKey(), own(one.getKey(), one.getValue())));
    if (shown.path("_meta").isNull()) {
      shown.remove("_meta");
    }
    if (shown.get("_source") instanceof ObjectNode source) {
      source.remove("mode"); // the setting index.mapping.source.mode says it
      if (isSourceEnabled) {
        source.remove("enabled");
      }
      if (source.isEmpty()) {
        shown.remove("_source");
      }
    }
    return shown;
  }

  /// A copy; of what users keep in a mapping (`_meta`), which may be as large as a request and is
  /// changed by nobody, no copy.
  private static JsonNode own(String name, JsonNode value) {
    return name.equals("_meta") ? value : value.deepCopy();
  }

  private static boolean flag(JsonNode json, String name, boolean whenAbsent) {
    JsonNode value = json.get(name);
    return value == null ? whenAbsent : MappingParser.flag(name, value);
  }

  private static List<DateFormat> formats(@org.jspecify.annotations.Nullable JsonNode given) {
    List<String> patterns = new ArrayList<>();
    if (given == null) {
      patterns.addAll(DATE_FORMATS);
    } else if (given.isArray()) {
      given.forEach(pattern -> patterns.add(pattern.asText()));
    } else {
      patterns.add(given.asText());
    }
    return patterns.stream().filter(p -> !p.equals("none")).map(DateFormat::of).toList();
  }

  /// Fields that others, which documents may bring, copy their values to.
  Set<String> copyTargets() {
    Set<String> targets = new TreeSet<>();
    templates.forEach(template -> targets.addAll(template.copyTo()));
    return targets;
  }

  /// These options with those of `changed` that are given. Dynamic templates replace all that were
  /// there: so they can be put in another order, or be taken away.
  RootOptions merge(RootOptions changed) {
    refuseSourceChange(changed);
    refuseChange(changed, "_routing", "required", isRoutingRequired, changed.isRoutingRequired);
    if (requiresTimestamp) {
      refuseChange(changed, "_data_stream_timestamp", "enabled", true, changed.requiresTimestamp);
    }
    ObjectNode merged = Json.object();
    for (String name : NAMES) {
      JsonNode given = changed.json.path(name);
      boolean saysNothing =
          name.equals("_source") ? given.isEmpty() : name.equals("_meta") && given.isNull();
      JsonNode now =
          changed.json.has(name) && !saysNothing ? changed.json.get(name) : json.get(name);
      if (now != null) {
        merged.set(name, own(name, now));
      }
    }
    if (changed.json.has("runtime")) {
      RuntimeFields.merge(merged, json.get("runtime"), changed.json.get("runtime"));
    }
    return read(merged);
  }

  /// Sources may be kept no longer; those that were not kept, or only in part, don't come back.
  private void refuseSourceChange(RootOptions changed) {
    JsonNode now = changed.json.path("_source");
    if (now.isEmpty()) {
      return;
    }
    List<String> faults = new ArrayList<>();
    if (!isSourceEnabled && changed.isSourceEnabled) {
      faults.add(change("enabled", "false", "true"));
    }
    for (String name : List.of("includes", "excludes")) {
      String before = names(json.path("_source").path(name));
      String after = names(now.path(name));
      if (!before.equals(after)) {
        faults.add(change(name, before, after));
      }
    }
    refuse("_source", faults);
  }

  private static String names(JsonNode given) {
    List<String> names = new ArrayList<>();
    if (given.isArray()) {
      given.forEach(name -> names.add(name.asText()));
    } else if (!given.isMissingNode()) {
      names.add(given.asText());
    }
    return names.toString();
  }

  private void refuseChange(
      RootOptions changed, String field, String parameter, boolean old, boolean now) {
    if (changed.json.has(field) && old != now) {
      refuse(field, List.of(change(parameter, Boolean.toString(old), Boolean.toString(now))));
    }
  }

  private static String change(String parameter, String old, String now) {
    return "Cannot update parameter [" + parameter + "] from [" + old + "] to [" + now + "]";
  }

  private static void refuse(String field, List<String> faults) {
    if (!faults.isEmpty()) {
      throw Refusal.badArgument(
          "Mapper for ["
              + field
              + "] conflicts with existing mapper:\n\t"
              + String.join("\n\t", faults));
    }
  }
}
