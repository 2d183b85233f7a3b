package dev.holdfast.document.mapping.tree;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.document.ScriptedValues;
import dev.holdfast.document.field.ScriptParameter;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A field, with the multi-fields that index the same values in other ways.
///
/// @param fields multi-fields by name
/// @param copyTo full paths of fields that get the values too
/// @param script makes the values; null where documents have them
public record LeafMapping(
    String path,
    FieldType type,
    SortedMap<String, LeafMapping> fields,
    List<String> copyTo,
    @Nullable ScriptedValues script)
    implements MappingNode {

  public LeafMapping {
    fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
    copyTo = List.copyOf(copyTo);
  }

  @Override
  public ObjectNode toJson() {
    ObjectNode json = type.toJson();
    if (script != null) {
      ScriptParameter.show(script, json);
    }
    if (!copyTo.isEmpty()) {
      ArrayNode targets = json.putArray("copy_to");
      copyTo.forEach(targets::add);
    }
    if (!fields.isEmpty()) {
      ObjectNode shown = Json.object();
      fields.forEach((name, field) -> shown.set(name, field.toJson()));
      json.set("fields", shown);
    }
    return json;
  }

  private void requireSameScript(@Nullable ScriptedValues changed) {
    Object before = script == null ? null : script.script();
    Object after = changed == null ? null : changed.script();
    if (!Objects.equals(before, after)) {
      throw Refusal.badArgument(
          "Mapper for ["
              + path
              + "] conflicts with existing mapper:\n\tCannot update parameter [script] from ["
              + (script == null ? null : script.script().text())
              + "] to ["
              + (changed == null ? null : changed.script().text())
              + "]");
    }
  }

  @Override
  public MappingNode merge(MappingNode changed) {
    return switch (changed) {
      case ObjectMapping object ->
          throw Refusal.badArgument(
              "mapper ["
                  + path
                  + "] cannot be changed from type ["
                  + type.typeName()
                  + "] to [ObjectMapper]");
      case LeafMapping leaf -> {
        SortedMap<String, LeafMapping> merged = new TreeMap<>(fields);
        leaf.fields.forEach(
            (name, field) -> merged.merge(name, field, (old, now) -> (LeafMapping) old.merge(now)));
        requireSameScript(leaf.script);
        yield new LeafMapping(path, type.merge(path, leaf.type), merged, leaf.copyTo, leaf.script);
      }
    };
  }
}
