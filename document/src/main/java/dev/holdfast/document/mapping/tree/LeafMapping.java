package dev.holdfast.document.mapping.tree;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.FieldType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A field, with the multi-fields that index the same values in other ways.
///
/// @param fields multi-fields by name
/// @param copyTo full paths of fields that get the values too
public record LeafMapping(
    String path, FieldType type, SortedMap<String, LeafMapping> fields, List<String> copyTo)
    implements MappingNode {

  public LeafMapping {
    fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
    copyTo = List.copyOf(copyTo);
  }

  @Override
  public ObjectNode toJson() {
    ObjectNode json = type.toJson();
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
        yield new LeafMapping(path, type.merge(path, leaf.type), merged, leaf.copyTo);
      }
    };
  }
}
