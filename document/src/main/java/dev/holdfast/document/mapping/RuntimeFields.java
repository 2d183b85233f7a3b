package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.field.FieldContext;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The `runtime` fields of a mapping or of a search. Those without a script are read from the
/// source; there are no scripts, so other kinds are refused.
final class RuntimeFields {
  /// Kinds whose values come of scripts or of other indices.
  private static final List<String> REFUSED = List.of("composite", "lookup");

  private RuntimeFields() {}

  static boolean isType(String type) {
    return RuntimeType.NAMES.contains(type) || REFUSED.contains(type);
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
          types.put(field.getKey(), type(field.getKey(), field.getValue(), context));
        }
      }
    }
    return Collections.unmodifiableSortedMap(types);
  }

  private static FieldType type(String field, JsonNode given, FieldContext context) {
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
    refuseScripts(field, type, mapping);
    return new RuntimeType(field, type, mapping, context);
  }

  private static void refuseScripts(String field, String type, ObjectNode mapping) {
    if (mapping.has("script")) {
      throw Refusal.badArgument(
          "script_lang not supported ["
              + mapping.path("script").path("lang").asText("painless")
              + "]");
    }
    if (type.equals("composite")) {
      throw Refusal.badArgument("composite runtime field [" + field + "] must declare a [script]");
    }
    if (REFUSED.contains(type)) {
      throw Refusal.badArgument(
          "runtime field [" + field + "] of type [" + type + "] is not supported");
    }
    if (mapping.has("on_script_error")) {
      throw Refusal.badArgument("Field [on_script_error] requires field [script] to be configured");
    }
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
