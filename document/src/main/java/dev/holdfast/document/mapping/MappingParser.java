package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ScriptedValues;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.FieldParameters;
import dev.holdfast.document.field.ScriptParameter;
import dev.holdfast.document.field.SeriesParameters;
import dev.holdfast.document.mapping.tree.Dynamic;
import dev.holdfast.document.mapping.tree.LeafMapping;
import dev.holdfast.document.mapping.tree.MappingNode;
import dev.holdfast.document.mapping.tree.Nesting;
import dev.holdfast.document.mapping.tree.ObjectMapping;
import dev.holdfast.document.mapping.tree.PassThrough;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Reads JSON mappings into the tree; names with dots become objects.
final class MappingParser {
  private static final Set<String> OBJECT_PARAMETERS =
      Set.of("type", "dynamic", "enabled", "properties", "subobjects", FieldParameters.SOURCE_KEEP);

  private static final Set<String> PASS_THROUGH_PARAMETERS =
      Set.of(
          "type",
          "dynamic",
          "enabled",
          "properties",
          "priority",
          SeriesParameters.DIMENSION,
          FieldParameters.SOURCE_KEEP);

  private static final String PASS_THROUGH = "passthrough";
  private static final String PRIORITY = "priority";

  private final FieldContext context;

  MappingParser(FieldContext context) {
    this.context = context;
  }

  /// @param json `dynamic`, `enabled`, `properties` of the root
  ObjectMapping root(ObjectNode json) {
    return object("", json);
  }

  private ObjectMapping object(String path, ObjectNode json) {
    Dynamic dynamic = json.has("dynamic") ? Dynamic.of(json.get("dynamic").asText()) : null;
    Boolean enabled = json.has("enabled") ? (Boolean) flag("enabled", json.get("enabled")) : null;
    PassThrough passThrough = passThrough(path, json);
    String subobjects = passThrough == null ? subobjects(json.get("subobjects")) : "false";
    boolean isFlat = "false".equals(subobjects);
    SortedMap<String, MappingNode> members = new TreeMap<>();
    JsonNode properties = json.get("properties");
    if (properties instanceof ObjectNode named) {
      for (Map.Entry<String, JsonNode> property : named.properties()) {
        if (isFlat) {
          putFlat(members, path, property.getKey(), property.getValue());
        } else {
          put(members, path, property.getKey(), property.getValue());
        }
      }
    } else if (properties != null
        && !properties.isNull()
        && (properties.isValueNode() || !properties.isEmpty())) {
      throw fault("Expected map for property [properties] but got " + properties);
    }
    JsonNode keep = json.get(FieldParameters.SOURCE_KEEP);
    return new ObjectMapping(
        path,
        dynamic,
        enabled,
        nesting(json),
        subobjects,
        keep == null ? null : FieldParameters.checkSourceKeep(keep.asText()),
        members,
        passThrough);
  }

  /// @return null for an object whose fields answer to their whole names only
  private static @Nullable PassThrough passThrough(String path, ObjectNode json) {
    if (!json.path("type").asText().equals(PASS_THROUGH)) {
      return null;
    }
    int priority;
    try {
      priority = json.has(PRIORITY) ? Integer.parseInt(json.get(PRIORITY).asText()) : -1;
    } catch (NumberFormatException e) {
      throw new Refusal(
          ErrorType.MAPPER_PARSING,
          "Failed to parse value [" + json.get(PRIORITY).asText() + "] for parameter [priority]",
          e);
    }
    if (priority < 0) {
      throw fault(
          "Pass-through object ["
              + path
              + "] is missing a non-negative value for parameter [priority]");
    }
    JsonNode dimensions = json.get(SeriesParameters.DIMENSION);
    return new PassThrough(
        priority, dimensions == null ? null : flag(SeriesParameters.DIMENSION, dimensions));
  }

  private static @Nullable Nesting nesting(ObjectNode json) {
    if (!json.path("type").asText().equals("nested")) {
      return null;
    }
    return new Nesting(flagOf(json, "include_in_parent"), flagOf(json, "include_in_root"));
  }

  private static boolean flagOf(ObjectNode json, String name) {
    return json.has(name) && flag(name, json.get(name));
  }

  static boolean flag(String name, JsonNode value) {
    return switch (value.asText()) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw fault(
              "Could not convert ["
                  + name
                  + "] to boolean: Failed to parse value ["
                  + value.asText()
                  + "] as only [true] or [false] are allowed.");
    };
  }

  private static final Set<String> SUBOBJECTS = Set.of("true", "false", "auto");

  private static @Nullable String subobjects(@Nullable JsonNode given) {
    if (given == null || given.isNull()) {
      return null;
    }
    if (!SUBOBJECTS.contains(given.asText())) {
      throw fault(
          "Could not convert [subobjects] to boolean: Failed to parse value ["
              + given.asText()
              + "] as only [true], [false] or [auto] are allowed.");
    }
    return given.asText();
  }

  /// Fields that every index has; none may be mapped.
  private static final Set<String> METADATA =
      Set.of(
          "_doc_count",
          "_field_names",
          "_id",
          "_ignored",
          "_index",
          "_nested_path",
          "_routing",
          "_seq_no",
          "_source",
          "_tier",
          "_version");

  /// Fields of objects become fields with dots in their names.
  private void putFlat(
      SortedMap<String, MappingNode> members, String parent, String name, JsonNode json) {
    checkName(name);
    if (!(json instanceof ObjectNode mapping)) {
      throw fault("Expected map for property [" + name + "] on field [properties] but got " + json);
    }
    String type = mapping.path("type").asText(mapping.has("properties") ? "object" : "");
    if (type.equals("nested")) {
      throw fault(
          "Tried to add nested object ["
              + name
              + "] to object ["
              + (parent.isEmpty() ? "_doc" : parent)
              + "] which does not support subobjects");
    }
    if (type.equals(PASS_THROUGH)) {
      throw fault(
          "Object mapper ["
              + (parent.isEmpty() ? name : parent + "." + name)
              + "] was found in a context where subobjects is set to false");
    }
    if (type.equals("object")) {
      mapping
          .path("properties")
          .properties()
          .forEach(
              inner -> putFlat(members, parent, name + "." + inner.getKey(), inner.getValue()));
      return;
    }
    String path = parent.isEmpty() ? name : parent + "." + name;
    members.merge(name, leaf(path, mapping, mapping.get("type")), MappingNode::merge);
  }

  private void put(
      SortedMap<String, MappingNode> members, String parent, String name, JsonNode json) {
    checkName(name);
    if (!(json instanceof ObjectNode mapping)) {
      throw fault("Expected map for property [" + name + "] on field [properties] but got " + json);
    }
    int dot = name.indexOf('.');
    String first = dot < 0 ? name : name.substring(0, dot);
    String path = parent.isEmpty() ? first : parent + "." + first;
    if (METADATA.contains(path)) {
      throw fault("Field [" + path + "] is defined more than once");
    }
    if (path.chars().filter(c -> c == '.').count() >= MappingLimits.DEPTH_MAX) {
      throw MappingLimits.tooDeep(MappingLimits.DEPTH_MAX, path);
    }
    MappingNode member;
    if (dot < 0) {
      member = member(path, mapping);
    } else {
      SortedMap<String, MappingNode> inner = new TreeMap<>();
      put(inner, path, name.substring(dot + 1), json);
      member = new ObjectMapping(path, null, null, null, null, null, inner, null);
    }
    members.merge(first, member, MappingNode::merge);
  }

  private static void checkName(String name) {
    if (name.isEmpty()) {
      throw Refusal.badArgument("field name cannot be an empty string");
    }
    if (name.isBlank()) {
      throw Refusal.badArgument("field name cannot contain only whitespace");
    }
    if (name.startsWith(".") || name.endsWith(".") || name.contains("..")) {
      throw Refusal.badArgument(
          "field name starting or ending with a [.] makes object resolution ambiguous: ["
              + name
              + "]");
    }
  }

  private MappingNode member(String path, ObjectNode json) {
    JsonNode type = json.get("type");
    boolean isNested = type != null && type.asText().equals("nested");
    boolean isPassThrough = type != null && type.asText().equals(PASS_THROUGH);
    boolean isObject =
        type == null
            ? json.has("properties") || json.has("dynamic") || json.has("enabled")
            : type.asText().equals("object") || isNested || isPassThrough;
    if (!isObject) {
      return leaf(path, json, type);
    }
    List<String> unknown = new ArrayList<>();
    json.properties()
        .forEach(p -> {
          boolean isKnown =
              isPassThrough
                  ? PASS_THROUGH_PARAMETERS.contains(p.getKey())
                  : OBJECT_PARAMETERS.contains(p.getKey());
          if (!isKnown && !(isNested && p.getKey().startsWith("include_in_"))) {
            unknown.add("[" + p.getKey() + " : " + p.getValue().asText() + "]");
          }
        });
    if (!unknown.isEmpty()) {
      throw fault(
          "Mapping definition for ["
              + path.substring(path.lastIndexOf('.') + 1)
              + "] has unsupported parameters:  "
              + String.join(" ", unknown));
    }
    return object(path, json);
  }

  private LeafMapping leaf(String path, ObjectNode json, @Nullable JsonNode type) {
    String leaf = path.substring(path.lastIndexOf('.') + 1);
    if (type == null || type.isNull()) {
      throw fault("No type specified for field [" + leaf + "]");
    }
    ObjectNode own = Json.object();
    json.properties().forEach(p -> own.set(p.getKey(), p.getValue()));
    SortedMap<String, LeafMapping> fields = new TreeMap<>();
    JsonNode multi = own.remove("fields");
    if (multi instanceof ObjectNode named) {
      for (Map.Entry<String, JsonNode> field : named.properties()) {
        fields.put(field.getKey(), multiField(path, leaf, field.getKey(), field.getValue()));
      }
    } else if (multi != null && !multi.isNull() && !multi.isEmpty()) {
      throw fault("expected map for property [fields] on field [" + leaf + "] but got " + multi);
    }
    List<String> copyTo = new ArrayList<>();
    JsonNode targets = own.remove("copy_to");
    if (targets != null && targets.isArray()) {
      targets.forEach(target -> copyTo.add(target.asText()));
    } else if (targets != null && !targets.isNull()) {
      copyTo.add(targets.asText());
    }
    ScriptedValues script = ScriptParameter.takeIndexed(path, type.asText(), own);
    if (script != null && !(fields.isEmpty() && copyTo.isEmpty())) {
      throw fault(
          "Cannot define multifields or [copy_to] on a field with a [script], as on ["
              + leaf
              + "]");
    }
    return new LeafMapping(
        path, FieldTypes.parse(path, type.asText(), own, context), fields, copyTo, script);
  }

  private LeafMapping multiField(String path, String leaf, String name, JsonNode json) {
    if (!(json instanceof ObjectNode mapping)) {
      throw fault("illegal field [" + name + "], only fields can be specified inside fields");
    }
    if (name.contains(".")) {
      throw fault(
          "Field name [" + name + "] which is a multi field of [" + leaf + "] cannot contain '.'");
    }
    JsonNode type = mapping.get("type");
    if (type == null) {
      throw fault("no type specified for property [" + name + "]");
    }
    if (type.asText().equals("object") || type.asText().equals("nested")) {
      throw fault("Type [" + type.asText() + "] cannot be used in multi field");
    }
    LeafMapping field = leaf(path + "." + name, mapping, type);
    if (field.script() != null) {
      throw fault("Cannot create a multi-field with a [script] parameter: [" + name + "]");
    }
    return new LeafMapping(
        field.path(), field.type(), Collections.emptySortedMap(), field.copyTo(), null);
  }

  static Refusal fault(String reason) {
    return new Refusal(ErrorType.MAPPER_PARSING, reason);
  }
}
