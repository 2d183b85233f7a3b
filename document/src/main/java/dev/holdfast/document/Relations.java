package dev.holdfast.document;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The kinds of documents that a `join` field relates. The kind of a document is the field's term;
/// the id of the parent is the term and the sorted doc value of [#idField], for children and for
/// the parent itself.
///
/// @param children kinds of children by kind of parent
public record Relations(SortedMap<String, List<String>> children) {
  public Relations {
    children = Collections.unmodifiableSortedMap(new TreeMap<>(children));
  }

  /// The kind that is the parent of `kind`; null when it has none.
  public @Nullable String parentOf(String kind) {
    return children.entrySet().stream()
        .filter(relation -> relation.getValue().contains(kind))
        .map(java.util.Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  public boolean isParent(String kind) {
    return children.containsKey(kind);
  }

  public boolean has(String kind) {
    return isParent(kind) || parentOf(kind) != null;
  }

  /// The field that has the ids of parents of that kind.
  public static String idField(String joinField, String parent) {
    return joinField + "#" + parent;
  }
}
