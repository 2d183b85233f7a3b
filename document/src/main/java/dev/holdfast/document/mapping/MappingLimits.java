package dev.holdfast.document.mapping;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.DocumentLimits;
import dev.holdfast.document.mapping.tree.LeafMapping;
import dev.holdfast.document.mapping.tree.MappingNode;
import dev.holdfast.document.mapping.tree.ObjectMapping;
import dev.holdfast.world.Json;
import dev.holdfast.world.Promise;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Checks a mapping tree against the index's limits.
final class MappingLimits {
  private final DocumentLimits limits;
  private long fields;
  private long nested;

  private MappingLimits(DocumentLimits limits) {
    this.limits = limits;
  }

  /// @param runtimeFields how many there are; they count as others do
  /// @throws Refusal `illegal_argument_exception` when there are too many fields, they lie too
  ///   deep, or have too long names
  static void check(ObjectMapping root, int runtimeFields, DocumentLimits limits) {
    MappingLimits check = new MappingLimits(limits);
    check.fields = runtimeFields;
    check.object(root, 1);
    if (check.fields > limits.totalFieldsMax()) {
      throw Refusal.badArgument(
          "Limit of total fields [" + limits.totalFieldsMax() + "] has been exceeded");
    }
    if (check.nested > limits.nestedFieldsMax()) {
      throw Refusal.badArgument(
          "Limit of nested fields [" + limits.nestedFieldsMax() + "] has been exceeded");
    }
  }

  /// What fields take of the heap: here, in the cluster state and, most of all, while a document
  /// that has them is indexed.
  private static final long FIELD_BYTES = 16 << 10;

  /// Of the heap, for one index.
  private static final int SHARE_OF_HEAP = 2;

  /// Asked before a mapping grows, not when one is read: an index that there is opens on any node.
  ///
  /// @param heapMax bytes
  /// @throws Refusal `circuit_breaking_exception` (429) when a heap is too small for as many fields
  static void checkMemory(ObjectMapping root, long heapMax) {
    long wanted = count(root) * FIELD_BYTES;
    long max = heapMax / SHARE_OF_HEAP;
    if (wanted > max) {
      throw Refusal.tooMuchMemory("parent", "<mapping>", wanted, max, false);
    }
  }

  /// How many fields count against the limit.
  static long count(ObjectMapping root) {
    long fields = 0;
    for (MappingNode member : root.members().values()) {
      fields +=
          1
              + switch (member) {
                case ObjectMapping inner -> count(inner);
                case LeafMapping leaf -> leaf.fields().size();
              };
    }
    return fields;
  }

  /// Those fields of an update that there is room for, in order; the paths of the others are added
  /// to `left`.
  static ObjectNode cut(ObjectNode update, long room, Collection<String> left) {
    ObjectNode cut = update.deepCopy();
    long remaining = cut(cut, room, "", left);
    Promise.keep(remaining >= 0 || room < 0, "a cut update fits", "remaining", remaining);
    cutRuntime(cut, remaining, left);
    return cut.path("properties").isEmpty() && cut.path("runtime").isEmpty() ? Json.object() : cut;
  }

  private static void cutRuntime(ObjectNode update, long room, Collection<String> left) {
    if (update.get("runtime") instanceof ObjectNode runtime) {
      List<String> names = new ArrayList<>();
      runtime.fieldNames().forEachRemaining(names::add);
      List<String> beyond = names.subList(Math.clamp(room, 0, names.size()), names.size());
      runtime.remove(beyond);
      left.addAll(beyond);
    }
  }

  private static long cut(ObjectNode object, long room, String path, Collection<String> left) {
    long remaining = room;
    if (!(object.get("properties") instanceof ObjectNode properties)) {
      return remaining;
    }
    List<String> names = new ArrayList<>();
    properties.fieldNames().forEachRemaining(names::add);
    for (String name : names) {
      ObjectNode member = (ObjectNode) properties.get(name);
      String at = path.isEmpty() ? name : path + "." + name;
      long needed = 1L + member.path("fields").size();
      if (needed > remaining) {
        properties.remove(name);
        left.add(at);
      } else {
        remaining = cut(member, remaining - needed, at, left);
      }
    }
    return remaining;
  }

  /// No object lies deeper, whatever `index.mapping.depth.limit` says: a mapping is JSON of twice
  /// this depth, and must be read again.
  static final int DEPTH_MAX = Json.DEPTH_MAX / 2;

  /// The refusal of an object that lies deeper than is allowed.
  static Refusal tooDeep(int max, String path) {
    return Refusal.badArgument(
        "Limit of mapping depth ["
            + max
            + "] has been exceeded due to object field ["
            + path
            + "]");
  }

  private void object(ObjectMapping object, int depth) {
    if (depth > limits.depthMax()) {
      throw tooDeep(limits.depthMax(), object.path());
    }
    object
        .members()
        .forEach((name, member) -> {
          checkName(name);
          fields++;
          switch (member) {
            case ObjectMapping inner -> {
              nested += inner.isNested() ? 1 : 0;
              object(inner, depth + 1);
            }
            case LeafMapping leaf -> {
              leaf.fields().keySet().forEach(this::checkName);
              fields += leaf.fields().size();
            }
          }
        });
  }

  private void checkName(String name) {
    if (name.length() > limits.fieldNameLengthMax()) {
      throw Refusal.badArgument(
          "Field name ["
              + name
              + "] is longer than the limit of ["
              + limits.fieldNameLengthMax()
              + "] characters");
    }
  }
}
