package dev.holdfast.clusterstate;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A sorted map that nobody can change, found in constant time. States share those that are equal
/// in them: of thousands of indices a change of one copies one map, not all.
@SuppressWarnings("JdkObsolete") // states are made of SortedMaps
final class FrozenSortedMap<V> extends AbstractMap<String, V> implements SortedMap<String, V> {
  private final SortedMap<String, V> sorted;

  /// The same by hash; made when somebody first asks for a key.
  private volatile @Nullable Map<String, V> byKey;

  private FrozenSortedMap(SortedMap<String, V> sorted) {
    this.sorted = Collections.unmodifiableSortedMap(sorted);
  }

  /// A copy; the same object when it is frozen already.
  static <V> SortedMap<String, V> of(SortedMap<String, V> map) {
    return map instanceof FrozenSortedMap<V> ? map : new FrozenSortedMap<>(new TreeMap<>(map));
  }

  /// Without a copy.
  ///
  /// @param map that nobody else has
  static <V> SortedMap<String, V> owning(SortedMap<String, V> map) {
    return new FrozenSortedMap<>(map);
  }

  private Map<String, V> byKey() {
    Map<String, V> known = byKey;
    if (known == null) {
      known = new HashMap<>(sorted);
      byKey = known; // whoever makes it, it is the same
    }
    return known;
  }

  @Override
  public @Nullable V get(Object key) {
    return byKey().get(key);
  }

  @Override
  public boolean containsKey(Object key) {
    return byKey().containsKey(key);
  }

  @Override
  public int size() {
    return sorted.size();
  }

  @Override
  public Set<Entry<String, V>> entrySet() {
    return sorted.entrySet();
  }

  @Override
  public @Nullable Comparator<? super String> comparator() {
    return null;
  }

  @Override
  public SortedMap<String, V> subMap(String from, String to) {
    return sorted.subMap(from, to);
  }

  @Override
  public SortedMap<String, V> headMap(String to) {
    return sorted.headMap(to);
  }

  @Override
  public SortedMap<String, V> tailMap(String from) {
    return sorted.tailMap(from);
  }

  @Override
  public String firstKey() {
    return sorted.firstKey();
  }

  @Override
  public String lastKey() {
    return sorted.lastKey();
  }
}
