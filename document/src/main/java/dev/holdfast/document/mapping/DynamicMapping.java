package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.DocumentLimits;
import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.date.DateFormat;
import dev.holdfast.document.mapping.tree.Dynamic;
import dev.holdfast.document.mapping.tree.LeafMapping;
import dev.holdfast.document.mapping.tree.MappingNode;
import dev.holdfast.document.mapping.tree.ObjectMapping;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Elasticsearch's rules for fields that the mapping lacks: the update that a document asks for.
/// Made once a document.
final class DynamicMapping {
  private static final int KEYWORD_LENGTH_MAX = 256;

  private final RootOptions options;
  private final int depthMax;
  private final Map<String, String> named;
  private final Predicate<String> isRuntime;

  /// Runtime fields that the document asks for, by path; of several kinds of value the last says.
  private final ObjectNode runtime = Json.object();

  /// Values that the document copies elsewhere, by path.
  private final Map<String, JsonNode> copies = new LinkedHashMap<>();

  /// Of the object whose members are looked at; the document itself is the first.
  private int depth = 1;

  /// Whether the field that is made lies in an object whose fields are dimensions.
  private boolean isInDimensions;

  /// @param named the dynamic templates that fields must take, by their paths
  /// @param isRuntime whether there is a runtime field of a path
  DynamicMapping(
      RootOptions options,
      DocumentLimits limits,
      Map<String, String> named,
      Predicate<String> isRuntime) {
    this.options = options;
    this.depthMax = limits.depthMax();
    this.named = named;
    this.isRuntime = isRuntime;
  }

  /// The update (`{"properties": …, "runtime": …}`) for all fields of `document` that `root` lacks;
  /// empty when there are none.
  ObjectNode infer(ObjectMapping root, JsonNode document) {
    ObjectNode properties = Json.object();
    Dynamic dynamic = root.dynamic() == null ? Dynamic.TRUE : root.dynamic();
    members(root, dynamic, "", withoutCount(document), properties);
    // Copies make fields as values at those paths would.
    Map<String, JsonNode> found = new LinkedHashMap<>(copies);
    found.forEach((target, value) -> {
      int dot = target.indexOf('.');
      JsonNode inner = dot < 0 ? value : Json.object().set(target.substring(dot + 1), value);
      String first = dot < 0 ? target : target.substring(0, dot);
      member(root, dynamic, "", first, inner, properties);
    });
    ObjectNode update = Json.object();
    if (!properties.isEmpty()) {
      update.set("properties", properties);
    }
    if (!runtime.isEmpty()) {
      update.set("runtime", runtime);
    }
    return update;
  }

  private static JsonNode withoutCount(JsonNode document) {
    if (!document.has(MetadataFields.DOC_COUNT)) {
      return document;
    }
    ObjectNode rest = Json.object();
    rest.setAll((ObjectNode) document);
    rest.remove(MetadataFields.DOC_COUNT);
    return rest;
  }

  private void members(
      @Nullable ObjectMapping object,
      Dynamic dynamic,
      String path,
      JsonNode document,
      ObjectNode properties) {
    if (object != null && object.isFlat()) {
      flatMembers(object, dynamic, "", document, properties);
      return;
    }
    for (Map.Entry<String, JsonNode> member : document.properties()) {
      String name = member.getKey();
      int dot = name.indexOf('.');
      if (dot < 0) {
        member(object, dynamic, path, name, member.getValue(), properties);
      } else {
        ObjectNode inner = Json.object();
        inner.set(name.substring(dot + 1), member.getValue());
        member(object, dynamic, path, name.substring(0, dot), inner, properties);
      }
    }
  }

  /// Objects in an object without subobjects are beginnings of names.
  private void flatMembers(
      ObjectMapping object,
      Dynamic dynamic,
      String prefix,
      JsonNode document,
      ObjectNode properties) {
    for (Map.Entry<String, JsonNode> member : document.properties()) {
      flatMember(object, dynamic, prefix + member.getKey(), member.getValue(), properties);
    }
  }

  private void flatMember(
      ObjectMapping object, Dynamic dynamic, String name, JsonNode value, ObjectNode properties) {
    MappingNode known = object.members().get(name);
    boolean readsObjects = known instanceof LeafMapping leaf && leaf.type().readsObjects();
    if (value.isObject() && !readsObjects) {
      flatMembers(object, dynamic, name + ".", value, properties);
    } else if (value.isArray() && !readsArrays(known)) {
      value.forEach(element -> flatMember(object, dynamic, name, element, properties));
    } else {
      member(object, dynamic, object.path(), name, value, properties);
    }
  }

  private void member(
      @Nullable ObjectMapping object,
      Dynamic dynamic,
      String parent,
      String name,
      JsonNode value,
      ObjectNode properties) {
    if (value.isNull()) {
      return;
    }
    String path = parent.isEmpty() ? name : parent + "." + name;
    MappingNode known = object == null ? null : object.members().get(name);
    if (value.isArray() && !readsArrays(known)) {
      value.forEach(e -> member(object, dynamic, parent, name, e, properties));
      return;
    }
    switch (known) {
      case LeafMapping leaf -> {
        leaf.copyTo().forEach(target -> copies.putIfAbsent(target, value));
        learn(leaf, value, name, properties);
      }
      case ObjectMapping inner -> {
        if (inner.isEnabled() && value.isObject()) {
          Dynamic own = inner.dynamic() == null ? dynamic : inner.dynamic();
          inner(inner, own, path, name, value, properties);
        }
      }
      case null -> {
        boolean isNew = !isRuntime.test(path);
        isInDimensions = object != null && object.hasDimensions();
        if (isNew && dynamic == Dynamic.TRUE) {
          create(path, name, value, properties);
        } else if (isNew && dynamic == Dynamic.RUNTIME) {
          createRuntime(path, name, value, properties);
        }
      }
    }
  }

  private static boolean readsArrays(@Nullable MappingNode known) {
    return known instanceof LeafMapping leaf && leaf.type().readsArrays();
  }

  private static void learn(LeafMapping leaf, JsonNode value, String name, ObjectNode properties) {
    ObjectNode learned = leaf.type().learn(value);
    if (learned != null) {
      ObjectNode whole = leaf.toJson();
      whole.setAll(learned);
      properties.set(name, whole);
    }
  }

  private void inner(
      @Nullable ObjectMapping object,
      Dynamic dynamic,
      String path,
      String name,
      JsonNode value,
      ObjectNode properties) {
    ObjectNode found = Json.object();
    ObjectNode mapping = properties.get(name) instanceof ObjectNode before ? before : Json.object();
    if (mapping.get("properties") instanceof ObjectNode before) {
      found = before;
    }
    descend(dynamic, path);
    members(object, dynamic, path, value, found);
    depth--;
    if (!found.isEmpty()) {
      if (object != null && object.nesting() != null) {
        ObjectNode nested = object.toJson();
        nested.retain("type", "include_in_parent", "include_in_root");
        mapping.setAll(nested);
      }
      mapping.set("properties", found);
      properties.set(name, mapping);
    }
  }

  /// One level down. A name may have thousands of dots, so the depth of the document bounds
  /// nothing.
  private void descend(Dynamic dynamic, String path) {
    int max =
        dynamic == Dynamic.RUNTIME ? Json.DEPTH_MAX : Math.min(depthMax, MappingLimits.DEPTH_MAX);
    if (++depth > max) {
      throw MappingLimits.tooDeep(max, path);
    }
  }

  private void create(String path, String name, JsonNode value, ObjectNode properties) {
    JsonNode before = properties.get(name);
    if (!value.isObject()) {
      if (before == null) {
        scalar(path, name, value, false, properties);
      }
      return;
    }
    ObjectNode mapping = before instanceof ObjectNode known ? known : object(path, name);
    String type = mapping.path("type").asText("object");
    boolean isObject = type.equals("object") || type.equals("nested");
    properties.set(name, mapping);
    if (isObject && mapping.path("enabled").asBoolean(true)) {
      Dynamic own =
          mapping.has("dynamic") ? Dynamic.of(mapping.path("dynamic").asText()) : Dynamic.TRUE;
      inner(null, own, path, name, value, properties);
    }
  }

  /// Objects are only what the names of runtime fields begin with.
  private void createRuntime(String path, String name, JsonNode value, ObjectNode properties) {
    JsonNode before = properties.get(name);
    if (!value.isObject()) {
      if (before == null) {
        scalar(path, name, value, true, properties);
      }
    } else if (before == null || !before.has("type")) {
      inner(null, Dynamic.RUNTIME, path, name, value, properties);
    }
  }

  private ObjectNode object(String path, String name) {
    DynamicTemplate template = template(path, name, "object");
    return template == null
        ? Json.object().put("type", "object")
        : DynamicTemplate.filled(template.mapping(), name, "object");
  }

  /// The template that the write names for a field, else the first that matches it.
  private @Nullable DynamicTemplate template(String path, String name, String kind) {
    String wanted = named.get(path);
    for (DynamicTemplate template : options.templates()) {
      boolean isMeant =
          wanted == null ? template.matches(name, path, kind) : template.name().equals(wanted);
      if (isMeant) {
        return template;
      }
    }
    if (wanted != null) {
      throw new Refusal(
          ErrorType.DOCUMENT_PARSING,
          "Can't find dynamic template for dynamic template name ["
              + wanted
              + "] of field ["
              + path
              + "]");
    }
    return null;
  }

  private void scalar(
      String path, String name, JsonNode value, boolean byRuntime, ObjectNode properties) {
    String kind = kind(value);
    DateFormat date = null;
    if (kind.equals("string")) {
      String meant = numberKind(value.asText());
      boolean isNumber = !meant.equals("string"); // and so no date, whatever reads it as one
      date = isNumber ? null : dateOf(value.asText());
      kind = date != null ? "date" : options.detectsNumbers() ? meant : kind;
    }
    DynamicTemplate template = template(path, name, kind);
    if (template != null && template.isRuntime()) {
      runtime.set(path, DynamicTemplate.filled(template.mapping(), name, runtimeType(kind)));
    } else if (template != null) {
      ObjectNode mapping = DynamicTemplate.filled(template.mapping(), name, defaultType(kind));
      String type = mapping.path("type").asText();
      boolean isDate = type.equals("date") || type.equals("date_nanos");
      properties.set(name, isDate && !mapping.has("format") ? withFormat(mapping, date) : mapping);
    } else if (byRuntime) {
      ObjectNode mapping = Json.object().put("type", runtimeType(kind));
      runtime.set(path, withFormat(mapping, date));
    } else {
      properties.set(name, byDefault(kind, date));
    }
  }

  private static String runtimeType(String kind) {
    return kind.equals("string") ? "keyword" : kind;
  }

  private static String kind(JsonNode value) {
    if (value.isTextual()) {
      return "string";
    }
    return value.isBoolean() ? "boolean" : value.isIntegralNumber() ? "long" : "double";
  }

  private static String defaultType(String kind) {
    return kind.equals("string") ? "text" : kind;
  }

  private @Nullable DateFormat dateOf(String text) {
    if (!options.detectsDates()) {
      return null;
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    for (DateFormat format : options.dateFormats()) {
      if (format.matches(utf8, 0, utf8.length)) {
        return format;
      }
    }
    return null;
  }

  private static String numberKind(String text) {
    try {
      Long.parseLong(text);
      return "long";
    } catch (NumberFormatException notLong) {
      try {
        Double.parseDouble(text);
        return "double";
      } catch (NumberFormatException notNumber) {
        return "string";
      }
    }
  }

  private ObjectNode byDefault(String kind, @Nullable DateFormat date) {
    ObjectNode mapping = Json.object();
    switch (kind) {
      case "string" -> {
        if (isInDimensions) {
          return mapping.put("type", "keyword");
        }
        mapping.put("type", "text");
        mapping
            .putObject("fields")
            .putObject("keyword")
            .put("type", "keyword")
            .put("ignore_above", KEYWORD_LENGTH_MAX);
      }
      case "date" -> {
        mapping.put("type", "date");
        return withFormat(mapping, date);
      }
      case "double" -> mapping.put("type", "float");
      default -> mapping.put("type", kind);
    }
    return mapping;
  }

  private static ObjectNode withFormat(ObjectNode mapping, @Nullable DateFormat date) {
    return date == null || date.pattern().equals("strict_date_optional_time")
        ? mapping
        : mapping.put("format", date.pattern());
  }
}
