package dev.holdfast.document.field;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ScriptedValues;
import dev.holdfast.script.ScriptSource;
import dev.holdfast.script.ScriptValues;
import dev.holdfast.script.Scripts;
import dev.holdfast.script.emit.EmitScripts;
import dev.holdfast.script.type.Shape;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `script` and `on_script_error` of a field in a mapping.
public final class ScriptParameter {
  private ScriptParameter() {}

  /// Takes both out of a mapping.
  ///
  /// @param kind of the field, which says how its script emits
  /// @return null when there is no script
  /// @throws Refusal 400 for a script that does not compile, or what only means something with one
  public static @Nullable ScriptedValues take(String field, String kind, ObjectNode mapping) {
    JsonNode given = mapping.remove("script");
    JsonNode onError = mapping.remove("on_script_error");
    if (given == null || given.isNull()) {
      if (onError != null) {
        throw Refusal.badArgument(
            "Field [on_script_error] requires field [script] to be configured");
      }
      return null;
    }
    if (given.hasNonNull("id")) {
      throw Refusal.badArgument(
          "stored scripts are not supported on scripted field [" + field + "]");
    }
    ScriptSource script = ScriptSource.parse(given);
    Shape shape = EmitScripts.shape(kind);
    var _ = Scripts.compiled(script, shape);
    return new ScriptedValues(script, shape, null, null, continuesOnError(onError));
  }

  /// How scripts of mapped fields emit, by type; types that are not here take none.
  private static final Map<String, String> KINDS =
      Map.ofEntries(
          Map.entry("boolean", "boolean"),
          Map.entry("byte", "long"),
          Map.entry("date", "date"),
          Map.entry("date_nanos", "date"),
          Map.entry("double", "double"),
          Map.entry("float", "double"),
          Map.entry("geo_point", "geo_point"),
          Map.entry("half_float", "double"),
          Map.entry("integer", "long"),
          Map.entry("ip", "ip"),
          Map.entry("keyword", "keyword"),
          Map.entry("long", "long"),
          Map.entry("short", "long"));

  /// What says how values of documents are read.
  private static final List<String> PRECLUDED = List.of("null_value", "ignore_malformed", "coerce");

  /// Takes both out of the mapping of a field that is indexed.
  ///
  /// @return null when there is no script, or none is known for the type
  /// @throws Refusal as [#take]; 400 for parameters that mean nothing beside a script
  public static @Nullable ScriptedValues takeIndexed(
      String field, String type, ObjectNode mapping) {
    String kind = KINDS.get(type);
    if (kind == null) {
      return null;
    }
    ScriptedValues scripted = take(field, kind, mapping);
    if (scripted == null) {
      return null;
    }
    for (String name : PRECLUDED) {
      if (mapping.hasNonNull(name)) {
        throw new Refusal(
            ErrorType.MAPPER_PARSING,
            "Field [" + name + "] cannot be set in conjunction with field [script]");
      }
    }
    if (!mapping.path("index").asBoolean(true) && !mapping.path("doc_values").asBoolean(true)) {
      throw new Refusal(
          ErrorType.MAPPER_PARSING,
          "Cannot define script on field with index:false and doc_values:false");
    }
    return scripted;
  }

  /// Scripts see documents, not the objects in them.
  ///
  /// @param scope of nested objects that hold the field; null for none
  public static void requireNoScope(String path, @Nullable String scope) {
    if (scope != null) {
      throw new Refusal(
          ErrorType.MAPPER_PARSING,
          "Cannot define a [script] on a field in a nested object: [" + path + "]");
    }
  }

  private static boolean continuesOnError(@Nullable JsonNode given) {
    String value = given == null ? "fail" : given.asText();
    if (!value.equals("fail") && !value.equals("continue")) {
      throw new Refusal(
          ErrorType.MAPPER_PARSING,
          "Unknown value ["
              + value
              + "] for field [on_script_error] - accepted values are [fail, continue]");
    }
    return value.equals("continue");
  }

  /// Shows both in a mapping.
  public static void show(ScriptedValues scripted, ObjectNode mapping) {
    ScriptSource script = scripted.script();
    ObjectNode shown = mapping.putObject("script");
    shown.put("source", script.text()).put("lang", script.lang());
    if (!script.params().isEmpty()) {
      shown.set("params", ScriptValues.json(script.params()));
    }
    if (scripted.continuesOnError()) {
      mapping.put("on_script_error", "continue");
    }
  }
}
