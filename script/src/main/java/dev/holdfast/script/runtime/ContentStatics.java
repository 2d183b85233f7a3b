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
import org.jspecify.annotations.Nullable;

/// As [ContentAdditions], of static methods and constructors: `Type_method`, `Type_new`.
@SuppressWarnings("NonApiType") // what the constructors make
public final class ContentStatics {
  private ContentStatics() {}

  public static HashSet<Object> HashSet_new(Collection<?> of) {
    return new HashSet<>(Contents.bounded(of));
  }

  public static LinkedHashSet<Object> LinkedHashSet_new(Collection<?> of) {
    return new LinkedHashSet<>(Contents.bounded(of));
  }

  public static HashMap<Object, Object> HashMap_new(Map<?, ?> of) {
    return new HashMap<>(Contents.bounded(of));
  }

  public static LinkedHashMap<Object, Object> LinkedHashMap_new(Map<?, ?> of) {
    return new LinkedHashMap<>(Contents.bounded(of));
  }

  public static boolean Objects_equals(@Nullable Object one, @Nullable Object other) {
    return Objects.equals(one, Contents.bounded(other));
  }

  public static boolean Objects_deepEquals(@Nullable Object one, @Nullable Object other) {
    return Objects.deepEquals(one, Contents.bounded(other));
  }

  public static int Objects_hash(@Nullable Object[] of) {
    return Objects.hash(Contents.bounded(of));
  }

  public static int Objects_hashCode(@Nullable Object of) {
    return Objects.hashCode(Contents.bounded(of));
  }

  public static String Objects_toString(@Nullable Object of) {
    return Text.of(of);
  }

  public static boolean Arrays_deepEquals(@Nullable Object[] one, @Nullable Object[] other) {
    return Arrays.deepEquals(one, Contents.bounded(other));
  }

  public static int Arrays_deepHashCode(@Nullable Object[] of) {
    return Arrays.deepHashCode(Contents.bounded(of));
  }

  public static String Arrays_deepToString(@Nullable Object[] of) {
    return Arrays.deepToString(Contents.bounded(of));
  }

  public static boolean Collections_disjoint(Collection<?> one, Collection<?> other) {
    return Collections.disjoint(Contents.bounded(one), Contents.bounded(other));
  }

  public static int Collections_frequency(Collection<?> in, @Nullable Object value) {
    return Collections.frequency(in, Contents.bounded(value));
  }

  public static int Collections_indexOfSubList(List<?> in, List<?> part) {
    return Collections.indexOfSubList(in, Contents.bounded(part));
  }

  public static int Collections_lastIndexOfSubList(List<?> in, List<?> part) {
    return Collections.lastIndexOfSubList(in, Contents.bounded(part));
  }

  public static boolean Collections_replaceAll(
      List<Object> in, @Nullable Object old, @Nullable Object value) {
    return Collections.replaceAll(in, Contents.bounded(old), value);
  }
}
