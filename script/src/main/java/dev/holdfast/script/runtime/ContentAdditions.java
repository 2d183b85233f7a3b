package dev.holdfast.script.runtime;

import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Methods of the JDK that read what they are given to its leaves: the same, after a look at how
/// much that is ([Contents]).
@SuppressWarnings("unchecked") // what a script holds holds anything
public final class ContentAdditions {
  /// An element of a set.
  private static final int ENTRY_BYTES = 64;

  private ContentAdditions() {}

  public static String toString(Object of) {
    return Text.of(of);
  }

  public static int hashCode(Object of) {
    countBits(of);
    return Contents.visited(of).hashCode();
  }

  public static boolean equals(Object one, @Nullable Object other) {
    VisitBounds.countTexts(one, other);
    countBits(one);
    return one.equals(Contents.visited(other));
  }

  private static void countBits(Object of) {
    VisitBounds.count(of instanceof BitSet bits ? bits.length() / Long.SIZE : 0);
  }

  public static int hashCode(List<?> of) {
    return Contents.visited(of).hashCode();
  }

  public static boolean equals(List<?> one, @Nullable Object other) {
    return one.equals(Contents.visited(other));
  }

  public static int indexOf(List<?> in, @Nullable Object value) {
    VisitBounds.countSearch(in);
    return in.indexOf(Contents.visited(value));
  }

  public static int lastIndexOf(List<?> in, @Nullable Object value) {
    VisitBounds.countSearch(in);
    return in.lastIndexOf(Contents.visited(value));
  }

  public static int hashCode(Set<?> of) {
    return Contents.visited(of).hashCode();
  }

  public static boolean equals(Set<?> one, @Nullable Object other) {
    return one.equals(Contents.visited(other));
  }

  public static boolean remove(Set<?> from, @Nullable Object value) {
    return from.remove(Contents.visited(value));
  }

  public static boolean add(Collection<?> to, @Nullable Object value) {
    GrowthAdditions.element(to);
    return ((Collection<@Nullable Object>) to)
        .add(to instanceof Set ? Contents.visited(value) : value);
  }

  public static boolean addAll(Collection<?> to, Collection<?> more) {
    Budget.charge(8L * more.size());
    return ((Collection<Object>) to).addAll(to instanceof Set ? Contents.visited(more) : more);
  }

  public static boolean contains(Collection<?> in, @Nullable Object value) {
    VisitBounds.countSearch(in);
    return in.contains(Contents.visited(value));
  }

  public static boolean containsAll(Collection<?> in, Collection<?> values) {
    VisitBounds.countSearches(in, values);
    return in.containsAll(Contents.visited(values));
  }

  public static boolean removeAll(Collection<?> from, Collection<?> values) {
    VisitBounds.countSearches(values, from);
    Contents.visited(from);
    return from.removeAll(Contents.visited(values));
  }

  public static boolean retainAll(Collection<?> in, Collection<?> values) {
    VisitBounds.countSearches(values, in);
    Contents.visited(in);
    return in.retainAll(Contents.visited(values));
  }

  public static boolean remove(Deque<?> from, @Nullable Object value) {
    VisitBounds.countSearch(from);
    return from.remove(Contents.visited(value));
  }

  public static boolean removeFirstOccurrence(Deque<?> from, @Nullable Object value) {
    VisitBounds.countSearch(from);
    return from.removeFirstOccurrence(Contents.visited(value));
  }

  public static boolean removeLastOccurrence(Deque<?> from, @Nullable Object value) {
    VisitBounds.countSearch(from);
    return from.removeLastOccurrence(Contents.visited(value));
  }

  public static int hashCode(Map.Entry<?, ?> of) {
    return Contents.visited(of).hashCode();
  }

  public static boolean equals(Map.Entry<?, ?> one, @Nullable Object other) {
    return one.equals(Contents.visited(other));
  }

  public static boolean equals(Map<?, ?> one, @Nullable Object other) {
    return one.equals(Contents.visited(other));
  }

  public static @Nullable Object get(Map<?, ?> in, @Nullable Object key) {
    return in.get(Contents.visited(key));
  }

  public static @Nullable Object getOrDefault(
      Map<?, ?> in, @Nullable Object key, @Nullable Object otherwise) {
    return any(in).getOrDefault(Contents.visited(key), otherwise);
  }

  public static boolean containsKey(Map<?, ?> in, @Nullable Object key) {
    return in.containsKey(Contents.visited(key));
  }

  public static boolean containsValue(Map<?, ?> in, @Nullable Object value) {
    VisitBounds.count(in.size());
    return in.containsValue(Contents.visited(value));
  }

  public static @Nullable Object put(Map<?, ?> in, @Nullable Object key, @Nullable Object value) {
    int before = in.size();
    return GrowthAdditions.entry(in, before, any(in).put(Contents.visited(key), value));
  }

  public static void putAll(Map<?, ?> in, Map<?, ?> more) {
    Budget.charge(48L * more.size());
    any(in).putAll(Contents.visited(any(more)));
  }

  public static @Nullable Object putIfAbsent(
      Map<?, ?> in, @Nullable Object key, @Nullable Object value) {
    int before = in.size();
    return GrowthAdditions.entry(in, before, any(in).putIfAbsent(Contents.visited(key), value));
  }

  public static @Nullable Object remove(Map<?, ?> from, @Nullable Object key) {
    return from.remove(Contents.visited(key));
  }

  public static boolean remove(Map<?, ?> from, @Nullable Object key, @Nullable Object value) {
    return from.remove(Contents.visited(key), Contents.visited(value));
  }

  public static @Nullable Object replace(
      Map<?, ?> in, @Nullable Object key, @Nullable Object value) {
    return any(in).replace(Contents.visited(key), value);
  }

  public static boolean replace(
      Map<?, ?> in, @Nullable Object key, @Nullable Object old, @Nullable Object value) {
    return any(in).replace(Contents.visited(key), Contents.visited(old), value);
  }

  public static @Nullable Object compute(
      Map<?, ?> in,
      @Nullable Object key,
      BiFunction<@Nullable Object, @Nullable Object, @Nullable Object> by) {
    int before = in.size();
    return GrowthAdditions.entry(in, before, any(in).compute(Contents.visited(key), by));
  }

  public static @Nullable Object computeIfAbsent(
      Map<?, ?> in, @Nullable Object key, Function<@Nullable Object, @Nullable Object> by) {
    int before = in.size();
    return GrowthAdditions.entry(in, before, any(in).computeIfAbsent(Contents.visited(key), by));
  }

  public static @Nullable Object computeIfPresent(
      Map<?, ?> in,
      @Nullable Object key,
      BiFunction<@Nullable Object, @Nullable Object, @Nullable Object> by) {
    return any(in).computeIfPresent(Contents.visited(key), by);
  }

  public static @Nullable Object merge(
      Map<?, ?> in,
      @Nullable Object key,
      @Nullable Object value,
      BiFunction<@Nullable Object, @Nullable Object, @Nullable Object> by) {
    int before = in.size();
    return GrowthAdditions.entry(
        in, before, any(in).merge(Contents.visited(key), Objects.requireNonNull(value), by));
  }

  private static Map<@Nullable Object, @Nullable Object> any(Map<?, ?> map) {
    return (Map<@Nullable Object, @Nullable Object>) map;
  }

  public static Stream<?> distinct(Stream<?> of) {
    return of.map(Contents::visited).peek(_ -> Budget.charge(ENTRY_BYTES)).distinct();
  }
}
