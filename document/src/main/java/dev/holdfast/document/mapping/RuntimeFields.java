package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.MadeField;
import dev.holdfast.document.MappedField;
import dev.holdfast.document.ScriptedValues;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.document.field.ScriptParameter;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The `runtime` fields of a mapping or of a search. Those without a script are read from the
/// source; those of a `composite` are fields of their own whose script is one.
final class RuntimeFields {
  private static final String COMPOSITE = "composite";

  private RuntimeFields() {}

  static boolean isType(String type) {
    return RuntimeType.NAMES.contains(type)
        || type.equals(COMPOSITE)
        || type.equals(LookupType.NAME);
  }

  /// @throws Refusal `mapper_parsing_exception` when it is something else
  static void requireObject(@Nullable JsonNode runtime) {
    if (runtime != null && !runtime.isNull() && !runtime.isObject()) {
      throw MappingParser.fault("runtime must be a map type");
    }
  }

  /// The fields by path; nulls, which take fields away, are none.
  ///
  /// @throws Refusal `mapper_parsing_exception` or `illegal_argument_exception` for what can't be
  ///   read
  static SortedMap<String, FieldType> types(@Nullable JsonNode runtime, FieldContext context) {
    requireObject(runtime);
    SortedMap<String, FieldType> types = new TreeMap<>();
    if (runtime instanceof ObjectNode fields) {
      for (Map.Entry<String, JsonNode> field : fields.properties()) {
        if (!field.getValue().isNull()) {
          add(types, field.getKey(), field.getValue(), context);
        }
      }
    }
    return Collections.unmodifiableSortedMap(types);
  }

  private static void add(
      SortedMap<String, FieldType> types, String field, JsonNode given, FieldContext context) {
    if (!(given instanceof ObjectNode mapping)) {
      throw MappingParser.fault(
          "Expected map for runtime field [" + field + "] definition but got a " + javaName(given));
    }
    String type = mapping.path("type").asText("");
    if (type.isEmpty()) {
      throw MappingParser.fault("No type specified for runtime field [" + field + "]");
    }
    if (!isType(type)) {
      throw MappingParser.fault(
          "The mapper type ["
              + type
              + "] declared on runtime field ["
              + field
              + "] does not exist. It might have been created within a future version or requires"
              + " a plugin to be installed. Check the documentation.");
    }
    if (mapping.hasNonNull("meta")) {
      MappingShape.meta(field, mapping.path("meta"));
    }
    switch (type) {
      case COMPOSITE -> addComposite(types, field, mapping, context);
      case LookupType.NAME -> types.put(field, new LookupType(field, mapping));
      default -> types.put(field, new RuntimeType(field, type, mapping, context));
    }
  }

  private static void addComposite(
      SortedMap<String, FieldType> types, String field, ObjectNode given, FieldContext context) {
    ObjectNode mapping = given.deepCopy();
    ScriptedValues script = ScriptParameter.take(field, COMPOSITE, mapping);
    if (script == null) {
      throw Refusal.badArgument("composite runtime field [" + field + "] must declare a [script]");
    }
    if (!(mapping.remove("fields") instanceof ObjectNode members)) {
      throw Refusal.badArgument(
          "composite runtime field [" + field + "] must declare its [fields]");
    }
    mapping.remove(List.of("type", "meta"));
    if (!mapping.isEmpty()) {
      throw new Refusal(
          ErrorType.MAPPER_PARSING,
          "unknown parameter ["
              + mapping.fieldNames().next()
              + "] on runtime field ["
              + field
              + "] of type [composite]");
    }
    for (Map.Entry<String, JsonNode> member : members.properties()) {
      String type = member.getValue().path("type").asText("");
      if (member.getValue().has("script")) {
        throw Refusal.badArgument(
            "Cannot use [script] parameter on sub-field ["
                + member.getKey()
                + "] of composite runtime field ["
                + field
                + "]");
      }
      if (!(member.getValue() instanceof ObjectNode json) || !RuntimeType.NAMES.contains(type)) {
        throw MappingParser.fault(
            "The mapper type ["
                + type
                + "] declared on runtime field ["
                + member.getKey()
                + "] does not exist. It might have been created within a future version or requires"
                + " a plugin to be installed. Check the documentation.");
      }
      String path = field + "." + member.getKey();
      ScriptedValues values =
          new ScriptedValues(
              script.script(), script.shape(), member.getKey(), null, script.continuesOnError());
      types.put(path, new RuntimeType(path, type, json, context, values));
    }
  }

  /// Fields that stand for scripts of a request; one that is given the values of a field that there
  /// is not is none.
  static SortedMap<String, FieldType> made(
      SortedMap<String, MadeField> wanted,
      Function<String, @Nullable MappedField> fields,
      FieldContext context) {
    SortedMap<String, FieldType> types = new TreeMap<>();
    wanted.forEach((path, made) -> {
      String of = made.values().field();
      ObjectNode json = Json.object();
      if (of == null) {
        types.put(path, new RuntimeType(path, made.kind(), json, context, made.values()));
        return;
      }
      MappedField mapped = fields.apply(of);
      if (mapped == null) {
        return;
      }
      ValuesKind values = mapped.type().values();
      String kind =
          values.isDate()
              ? "date"
              : values.isNumeric() ? "double" : values.hasOrdinals() ? "keyword" : made.kind();
      if (values.isDate()) {
        ObjectNode shown = mapped.type().toJson();
        List.of("format", "locale")
            .forEach(one -> {
              if (shown.has(one)) {
                json.set(one, shown.get(one));
              }
            });
      }
      types.put(path, new RuntimeType(path, kind, json, context, made.values()));
    });
    return Collections.unmodifiableSortedMap(types);
  }

  static SortedMap<String, FieldType> both(
      SortedMap<String, FieldType> some, SortedMap<String, FieldType> others) {
    SortedMap<String, FieldType> all = new TreeMap<>(some);
    all.putAll(others);
    return Collections.unmodifiableSortedMap(all);
  }

  /// The fields as `GET _mapping` shows them; nulls, which take fields away, are none.
  static ObjectNode shown(JsonNode runtime, SortedMap<String, FieldType> types) {
    ObjectNode shown = Json.object();
    SortedMap<String, ObjectNode> all = new TreeMap<>();
    for (Map.Entry<String, JsonNode> field : runtime.properties()) {
      FieldType type = types.get(field.getKey());
      if (type != null) {
        all.put(field.getKey(), type.toJson());
      } else if (field.getValue() instanceof ObjectNode composite) {
        all.put(field.getKey(), shownComposite(field.getKey(), composite));
      }
    }
    all.forEach(shown::set);
    return shown;
  }

  private static ObjectNode shownComposite(String field, ObjectNode given) {
    ObjectNode rest = given.deepCopy();
    ObjectNode shown = Json.object().put("type", COMPOSITE);
    ScriptedValues script = ScriptParameter.take(field, COMPOSITE, rest);
    if (script != null) {
      ScriptParameter.show(script, shown);
    }
    rest.remove("type");
    return shown.setAll(rest);
  }

  private static String javaName(JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING -> "java.lang.String";
      case BOOLEAN -> "java.lang.Boolean";
      case ARRAY -> "java.util.ArrayList";
      case NUMBER ->
          value.isInt()
              ? "java.lang.Integer"
              : value.isIntegralNumber() ? "java.lang.Long" : "java.lang.Double";
      default -> value.getNodeType().toString();
    };
  }

  /// A request can't take fields away.
  static void refuseRemoval(ObjectNode runtime) {
    for (Map.Entry<String, JsonNode> field : runtime.properties()) {
      if (field.getValue().isNull()) {
        throw new Refusal(
            ErrorType.MAPPER_PARSING,
            "Runtime field ["
                + field.getKey()
                + "] was set to null but its removal is not supported in this context");
      }
    }
  }

  /// How many fields there are.
  static int count(RootOptions options) {
    int count = 0;
    for (JsonNode field : options.json().path("runtime")) {
      count += field.isNull() ? 0 : 1;
    }
    return count;
  }

  /// Fields are added and replaced; null takes one away.
  static void merge(ObjectNode merged, @Nullable JsonNode old, JsonNode changed) {
    ObjectNode fields = old instanceof ObjectNode before ? before.deepCopy() : merged.objectNode();
    for (Map.Entry<String, JsonNode> field : changed.properties()) {
      if (field.getValue().isNull()) {
        fields.remove(field.getKey());
      } else {
        fields.set(field.getKey(), field.getValue().deepCopy());
      }
    }
    if (fields.isEmpty()) {
      merged.remove("runtime");
    } else {
      merged.set("runtime", fields);
    }
  }
}
