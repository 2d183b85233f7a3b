package dev.holdfast.script.runtime;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// As [ContentAdditions], of static methods and constructors: `Type_method`, `Type_new`.
@SuppressWarnings("NonApiType") // what the constructors make
public final class ContentStatics {
  private ContentStatics() {}

  public static HashSet<Object> HashSet_new(Collection<?> of) {
    HashSet<Object> made = new HashSet<>(Contents.visited(of));
    Made.count(made);
    return made;
  }

  public static LinkedHashSet<Object> LinkedHashSet_new(Collection<?> of) {
    LinkedHashSet<Object> made = new LinkedHashSet<>(Contents.visited(of));
    Made.count(made);
    return made;
  }

  public static HashMap<Object, Object> HashMap_new(Map<?, ?> of) {
    HashMap<Object, Object> made = new HashMap<>(Contents.visited(of));
    Made.count(made);
    return made;
  }

  public static LinkedHashMap<Object, Object> LinkedHashMap_new(Map<?, ?> of) {
    LinkedHashMap<Object, Object> made = new LinkedHashMap<>(Contents.visited(of));
    Made.count(made);
    return made;
  }

  public static boolean Objects_equals(@Nullable Object one, @Nullable Object other) {
    return Objects.equals(one, Contents.visited(other));
  }

  public static boolean Objects_deepEquals(@Nullable Object one, @Nullable Object other) {
    return Objects.deepEquals(one, Contents.visited(other));
  }

  public static int Objects_hash(@Nullable Object[] of) {
    return Objects.hash(Contents.visited(of));
  }

  public static int Objects_hashCode(@Nullable Object of) {
    return Objects.hashCode(Contents.visited(of));
  }

  public static String Objects_toString(@Nullable Object of) {
    return Text.of(of);
  }

  public static boolean Arrays_deepEquals(@Nullable Object[] one, @Nullable Object[] other) {
    return Arrays.deepEquals(one, Contents.visited(other));
  }

  public static int Arrays_deepHashCode(@Nullable Object[] of) {
    return Arrays.deepHashCode(Contents.visited(of));
  }

  public static String Arrays_deepToString(@Nullable Object[] of) {
    String text = Arrays.deepToString(Contents.visited(of));
    Made.count(text);
    return text;
  }

  public static boolean Collections_disjoint(Collection<?> one, Collection<?> other) {
    if (one instanceof Set || other instanceof Set) {
      VisitBounds.count(one.size() + (long) other.size());
    } else {
      VisitBounds.countSearches(one, other);
    }
    return Collections.disjoint(Contents.visited(one), Contents.visited(other));
  }

  public static int Collections_frequency(Collection<?> in, @Nullable Object value) {
    VisitBounds.count(in.size());
    return Collections.frequency(in, Contents.visited(value));
  }

  public static int Collections_indexOfSubList(List<?> in, List<?> part) {
    VisitBounds.countSearches(in, part);
    return Collections.indexOfSubList(in, Contents.visited(part));
  }

  public static int Collections_lastIndexOfSubList(List<?> in, List<?> part) {
    VisitBounds.countSearches(in, part);
    return Collections.lastIndexOfSubList(in, Contents.visited(part));
  }

  public static boolean Collections_replaceAll(
      List<Object> in, @Nullable Object old, @Nullable Object value) {
    VisitBounds.count(in.size());
    return Collections.replaceAll(in, Contents.visited(old), value);
  }
}
