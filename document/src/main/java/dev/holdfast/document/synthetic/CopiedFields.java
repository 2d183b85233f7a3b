package dev.holdfast.document.synthetic;

import dev.holdfast.document.mapping.tree.LeafMapping;
import dev.holdfast.document.mapping.tree.MappingNode;
import dev.holdfast.document.mapping.tree.ObjectMapping;
import dev.holdfast.world.Refusal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Fields that are copied, or copied to, whose values a synthetic `_source` keeps: doc values say
/// more of a document than it did. Whether a field is one is decided before its first document.
public final class CopiedFields {
  private final SortedMap<String, LeafMapping> leaves = new TreeMap<>();
  private final Set<String> targets = new HashSet<>();

  private CopiedFields(ObjectMapping root, Set<String> foreseen) {
    targets.addAll(foreseen);
    collect(root);
  }

  /// @param foreseen fields that others, which documents may bring, will be copied to
  public static CopiedFields of(ObjectMapping root, Set<String> foreseen) {
    return new CopiedFields(root, foreseen);
  }

  private void collect(ObjectMapping object) {
    for (MappingNode member : object.members().values()) {
      switch (member) {
        case ObjectMapping inner -> collect(inner);
        case LeafMapping leaf -> {
          leaves.put(leaf.path(), leaf);
          targets.addAll(leaf.copyTo());
        }
      }
    }
  }

  /// Refuses a change after which values of documents that there are would be shown no more, or
  /// twice.
  ///
  /// @throws Refusal `illegal_argument_exception`
  public void requireSame(CopiedFields now) {
    if (targets.isEmpty() && now.targets.isEmpty()) {
      return;
    }
    for (Map.Entry<String, LeafMapping> one : leaves.entrySet()) {
      String path = one.getKey();
      LeafMapping leaf = one.getValue();
      LeafMapping changed = now.leaves.getOrDefault(path, leaf);
      boolean isSame =
          leaf.copyTo().isEmpty() == changed.copyTo().isEmpty()
              && targets.contains(path) == now.targets.contains(path);
      if (!isSame && SourcePlan.alone(leaf, List.of()) != null) {
        throw Refusal.badArgument(
            "Mapper for ["
                + path
                + "] conflicts with existing mapper:\n\tCannot begin or end to copy its values, or"
                + " to copy others to it, with [copy_to]: the [_source] of the index is synthetic");
      }
    }
  }
}
