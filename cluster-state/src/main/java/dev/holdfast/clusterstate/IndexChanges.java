package dev.holdfast.clusterstate;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// Which indices differ between two states, in metadata or in where their shards live. States share
/// what a change leaves as it was, so identity shows it: what is followed costs a walk through
/// names, however many indices there are.
///
/// @param changed those of the newer state that are new or not the same
/// @param gone those of the older state that are no more, also when another has their name now
public record IndexChanges(List<IndexMetadata> changed, List<IndexMetadata> gone) {
  private static final IndexChanges NONE = new IndexChanges(List.of(), List.of());

  /// @param before null for none: everything has changed
  @SuppressWarnings("ReferenceEquality") // what a change leaves as it was is the same object
  public static IndexChanges between(@Nullable ClusterState before, ClusterState now) {
    if (before == null) {
      return new IndexChanges(List.copyOf(now.indices().values()), List.of());
    }
    Set<String> names = differing(before.indices(), now.indices());
    Set<String> uuids = differing(before.assignments(), now.assignments());
    if (names.isEmpty() && uuids.isEmpty()) {
      return NONE;
    }
    List<IndexMetadata> gone = new ArrayList<>();
    for (String name : names) {
      IndexMetadata known = before.indices().get(name);
      IndexMetadata index = now.indices().get(name);
      if (known != null && (index == null || !index.id().equals(known.id()))) {
        gone.add(known);
      }
    }
    List<IndexMetadata> changed = new ArrayList<>();
    for (IndexMetadata index : now.indices().values()) {
      if (uuids.contains(index.id().uuid()) || names.contains(index.id().name())) {
        changed.add(index);
      }
    }
    return new IndexChanges(changed, gone);
  }

  /// The keys whose values are not the same object in both.
  @SuppressWarnings("ReferenceEquality") // as above
  private static <V> Set<String> differing(SortedMap<String, V> before, SortedMap<String, V> now) {
    Set<String> keys = new LinkedHashSet<>();
    if (before == now) {
      return keys;
    }
    Iterator<Map.Entry<String, V>> olds = before.entrySet().iterator();
    Map.Entry<String, V> old = next(olds);
    for (Map.Entry<String, V> entry : now.entrySet()) {
      while (old != null && old.getKey().compareTo(entry.getKey()) < 0) {
        keys.add(old.getKey());
        old = next(olds);
      }
      if (old == null || !old.getKey().equals(entry.getKey())) {
        keys.add(entry.getKey());
        continue;
      }
      if (old.getValue() != entry.getValue()) {
        keys.add(entry.getKey());
      }
      old = next(olds);
    }
    for (; old != null; old = next(olds)) {
      keys.add(old.getKey());
    }
    return keys;
  }

  private static <V> Map.@Nullable Entry<String, V> next(Iterator<Map.Entry<String, V>> entries) {
    return entries.hasNext() ? entries.next() : null;
  }
}
