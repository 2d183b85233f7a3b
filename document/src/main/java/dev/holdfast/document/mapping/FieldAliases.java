package dev.holdfast.document.mapping;

import dev.holdfast.document.MappedField;
import dev.holdfast.document.field.metadata.MetadataTypes;
import dev.holdfast.document.mapping.tree.LeafMapping;
import dev.holdfast.document.mapping.tree.MappingNode;
import dev.holdfast.document.mapping.tree.ObjectMapping;
import dev.holdfast.document.mapping.tree.PassThrough;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Names that stand for other fields: those of type `alias`, and those of fields in `passthrough`
/// objects without the objects' own.
final class FieldAliases {
  private FieldAliases() {}

  /// Each alias answers with the field it stands for.
  ///
  /// @param fields by their paths; changed
  static void resolve(SortedMap<String, MappedField> fields, ObjectMapping root) {
    for (var entry : fields.entrySet()) {
      String target = MetadataTypes.aliasTarget(entry.getValue().type());
      if (target != null) {
        MappedField meant = fields.get(target);
        if (meant == null || MetadataTypes.aliasTarget(meant.type()) != null) {
          throw MappingParser.fault(
              "Invalid [path] value ["
                  + target
                  + "] for field alias ["
                  + entry.getKey()
                  + "]: an alias must refer to an existing field in the mappings.");
        }
        entry.setValue(meant);
      }
    }
    passThrough(fields, root);
  }

  private static void passThrough(SortedMap<String, MappedField> fields, ObjectMapping root) {
    NavigableMap<Integer, ObjectMapping> byPriority = new TreeMap<>();
    Set<String> objects = new HashSet<>();
    collect(root, byPriority, objects);
    for (ObjectMapping object : byPriority.descendingMap().values()) {
      for (Map.Entry<String, MappingNode> member : object.members().entrySet()) {
        MappedField meant = fields.get(member.getValue().path());
        boolean isTaken = fields.containsKey(member.getKey()) || objects.contains(member.getKey());
        if (member.getValue() instanceof LeafMapping && meant != null && !isTaken) {
          fields.put(member.getKey(), meant);
        }
      }
    }
  }

  private static void collect(
      ObjectMapping object, NavigableMap<Integer, ObjectMapping> byPriority, Set<String> objects) {
    for (MappingNode member : object.members().values()) {
      if (member instanceof ObjectMapping inner) {
        objects.add(inner.path());
        collect(inner, byPriority, objects);
      }
    }
    PassThrough own = object.passThrough();
    ObjectMapping other = own == null ? null : byPriority.put(own.priority(), object);
    if (own != null && other != null) {
      throw MappingParser.fault(
          "Pass-through source ["
              + object.path()
              + "] has a conflicting param [priority="
              + own.priority()
              + "] with source ["
              + other.path()
              + "]");
    }
  }
}
