package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.Mapping;
import dev.holdfast.document.MappingFactory;
import dev.holdfast.document.field.FieldContext;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A mapping that refuses as little as it can: `dynamic` refuses no field and brings none, what is
/// malformed is ignored or coerced where its field can do that, limits are off. A document that was
/// written when a mapping was not as strict as it is now is taken under it.
public final class LenientMapping {
  /// Parameters that may be set otherwise later; those that are not there are as the settings say.
  private static final List<String> FLAGS = List.of("ignore_malformed", "coerce", "ignore_z_value");

  private static final List<String> MEMBERS = List.of("properties", "fields");

  private LenientMapping() {}

  /// @param mapping the value of `mappings`; not changed
  /// @param settings the index's flat settings
  public static Mapping of(
      MappingFactory factory, ObjectNode mapping, SortedMap<String, Object> settings) {
    ObjectNode lenient = mapping.deepCopy();
    loosen(lenient);
    lenient.put("dynamic", "false"); // what it does where nothing is said, too
    SortedMap<String, Object> loose = new TreeMap<>(settings);
    loose.put("index.mapping.ignore_malformed", "true");
    loose.put("index.mapping.coerce", "true");
    loose.put(FieldContext.LENIENT, "true");
    loose.put("index.mapping.nested_objects.limit", Integer.toString(Integer.MAX_VALUE));
    return factory.create(lenient, loose);
  }

  /// An object or a field, and what lies below.
  private static void loosen(ObjectNode node) {
    if (node.has("dynamic")) {
      node.put("dynamic", "false");
    }
    for (String flag : FLAGS) {
      if (node.has(flag)) {
        node.put(flag, true);
      }
    }
    if (node.has("depth_limit")) {
      node.put("depth_limit", Integer.MAX_VALUE);
    }
    for (String members : MEMBERS) {
      if (node.get(members) instanceof ObjectNode named) {
        for (JsonNode one : named) {
          if (one instanceof ObjectNode member) {
            loosen(member);
          }
        }
      }
    }
  }
}
