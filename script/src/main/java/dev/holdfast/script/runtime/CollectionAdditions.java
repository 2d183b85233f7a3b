package dev.holdfast.script.runtime;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Methods that collections have in scripts and not in Java.
public final class CollectionAdditions {
  private CollectionAdditions() {}

  public static <T> boolean any(Iterable<T> values, Predicate<T> test) {
    for (T value : values) {
      if (test.test(value)) {
        return true;
      }
    }
    return false;
  }

  public static <T> Collection<T> asCollection(Iterable<T> values) {
    return values instanceof Collection<T> collection ? collection : asList(values);
  }

  public static <T> List<T> asList(Iterable<T> values) {
    if (values instanceof List<T> list) {
      return list;
    }
    List<T> list = new ArrayList<>();
    for (T value : values) {
      Budget.charge(8);
      list.add(value);
    }
    return list;
  }

  public static <T> Object each(Iterable<T> values, Consumer<T> action) {
    values.forEach(action);
    return values;
  }

  public static <T> Object eachWithIndex(Iterable<T> values, ObjIntConsumer<T> action) {
    int i = 0;
    for (T value : values) {
      action.accept(value, i++);
    }
    return values;
  }

  public static <T> boolean every(Iterable<T> values, Predicate<T> test) {
    return !any(values, test.negate());
  }

  public static <T, U> List<U> findResults(Iterable<T> values, Function<T, @Nullable U> find) {
    List<U> found = new ArrayList<>();
    for (T value : values) {
      U result = find.apply(value);
      if (result != null) {
        found.add(result);
      }
    }
    return found;
  }

  public static <T, U> Map<U, List<T>> groupBy(Iterable<T> values, Function<T, U> key) {
    Map<U, List<T>> groups = new LinkedHashMap<>();
    for (T value : values) {
      groups.computeIfAbsent(key.apply(value), _ -> new ArrayList<>()).add(value);
    }
    return groups;
  }

  public static <T> String join(Iterable<T> values, String separator) {
    StringBuilder text = new StringBuilder();
    boolean isFirst = true;
    for (T value : values) {
      if (!isFirst) {
        text.append(separator);
      }
      isFirst = false;
      String next = Text.of(value);
      Budget.charge(2L * (next.length() + separator.length()));
      text.append(next);
    }
    return text.toString();
  }

  public static <T> double sum(Iterable<T> values) {
    VisitBounds.count(values instanceof Collection<?> all ? all.size() : 0);
    double sum = 0;
    for (T value : values) {
      sum += DefCasts.explicitDouble(value);
    }
    return sum;
  }

  public static <T> double sum(Iterable<T> values, ToDoubleFunction<T> of) {
    double sum = 0;
    for (T value : values) {
      sum += of.applyAsDouble(value);
    }
    return sum;
  }

  public static <T, U> List<U> collect(Collection<T> values, Function<T, U> of) {
    List<U> list = new ArrayList<>();
    for (T value : values) {
      Budget.charge(8);
      list.add(of.apply(value));
    }
    return list;
  }

  public static <T, U> Object collect(Collection<T> values, Collection<U> into, Function<T, U> of) {
    for (T value : values) {
      Budget.charge(8);
      into.add(of.apply(value));
    }
    return into;
  }

  public static <T> @Nullable Object find(Collection<T> values, Predicate<T> test) {
    for (T value : values) {
      if (test.test(value)) {
        return value;
      }
    }
    return null;
  }

  public static <T> List<T> findAll(Collection<T> values, Predicate<T> test) {
    List<T> found = new ArrayList<>();
    for (T value : values) {
      if (test.test(value)) {
        Budget.charge(8);
        found.add(value);
      }
    }
    return found;
  }

  public static <T> @Nullable Object findResult(
      Collection<T> values, Function<T, @Nullable Object> find) {
    return findResult(values, null, find);
  }

  public static <T> @Nullable Object findResult(
      Collection<T> values, @Nullable Object otherwise, Function<T, @Nullable Object> find) {
    for (T value : values) {
      Object result = find.apply(value);
      if (result != null) {
        return result;
      }
    }
    return otherwise;
  }

  public static <T> List<List<T>> split(Collection<T> values, Predicate<T> test) {
    List<T> yes = new ArrayList<>();
    List<T> no = new ArrayList<>();
    for (T value : values) {
      Budget.charge(8);
      (test.test(value) ? yes : no).add(value);
    }
    List<List<T>> both = new ArrayList<>();
    both.add(yes);
    both.add(no);
    return both;
  }

  public static int getLength(List<?> list) {
    return list.size();
  }

  public static @Nullable Object getByPath(List<?> list, String path) {
    return byPath(list, path, false, null);
  }

  public static @Nullable Object getByPath(List<?> list, String path, @Nullable Object otherwise) {
    return byPath(list, path, true, otherwise);
  }

  public static @Nullable Object getByPath(Map<?, ?> map, String path) {
    return byPath(map, path, false, null);
  }

  public static @Nullable Object getByPath(Map<?, ?> map, String path, @Nullable Object otherwise) {
    return byPath(map, path, true, otherwise);
  }

  private static @Nullable Object byPath(
      Object root, String path, boolean hasDefault, @Nullable Object otherwise) {
    if (path.isEmpty()) {
      throw new IllegalArgumentException("Missing path");
    }
    VisitBounds.count(path.length());
    Object at = root;
    for (String part : path.split("\\.", -1)) {
      if (part.isEmpty()) {
        throw new IllegalArgumentException("Extra '.' in path [" + path + "]");
      }
      Object next = null;
      boolean isThere = false;
      if (at instanceof Map<?, ?> map) {
        isThere = map.containsKey(part);
        next = map.get(part);
      } else if (at instanceof List<?> list && Lists.isIndex(part)) {
        int index = Integer.parseInt(part);
        isThere = index < list.size();
        next = isThere ? list.get(index) : null;
      }
      if (!isThere) {
        if (hasDefault) {
          return otherwise;
        }
        throw new IllegalArgumentException("Could not find [" + path + "] in its object");
      }
      at = next;
    }
    return at;
  }

  public static <K, V, U> List<U> collect(Map<K, V> map, BiFunction<K, V, U> of) {
    List<U> list = new ArrayList<>();
    map.forEach((key, value) -> list.add(of.apply(key, value)));
    return list;
  }

  public static <K, V, U> Object collect(
      Map<K, V> map, Collection<U> into, BiFunction<K, V, U> of) {
    map.forEach((key, value) -> into.add(of.apply(key, value)));
    return into;
  }

  public static <K, V> int count(Map<K, V> map, BiPredicate<K, V> test) {
    int count = 0;
    for (Map.Entry<K, V> e : map.entrySet()) {
      count += test.test(e.getKey(), e.getValue()) ? 1 : 0;
    }
    return count;
  }

  public static <K, V> Object each(Map<K, V> map, BiConsumer<K, V> action) {
    map.forEach(action);
    return map;
  }

  public static <K, V> boolean every(Map<K, V> map, BiPredicate<K, V> test) {
    return count(map, test) == map.size();
  }

  public static <K, V> Map.@Nullable Entry<K, V> find(Map<K, V> map, BiPredicate<K, V> test) {
    for (Map.Entry<K, V> e : map.entrySet()) {
      if (test.test(e.getKey(), e.getValue())) {
        return e;
      }
    }
    return null;
  }

  public static <K, V> Map<K, V> findAll(Map<K, V> map, BiPredicate<K, V> test) {
    Map<K, V> found = new HashMap<>();
    map.forEach((key, value) -> {
      if (test.test(key, value)) {
        found.put(key, value);
      }
    });
    return found;
  }

  public static <K, V> @Nullable Object findResult(
      Map<K, V> map, BiFunction<K, V, @Nullable Object> find) {
    return findResult(map, null, find);
  }

  public static <K, V> @Nullable Object findResult(
      Map<K, V> map, @Nullable Object otherwise, BiFunction<K, V, @Nullable Object> find) {
    for (Map.Entry<K, V> e : map.entrySet()) {
      Object result = find.apply(e.getKey(), e.getValue());
      if (result != null) {
        return result;
      }
    }
    return otherwise;
  }

  public static <K, V, U> List<U> findResults(Map<K, V> map, BiFunction<K, V, @Nullable U> find) {
    List<U> found = new ArrayList<>();
    for (Map.Entry<K, V> e : map.entrySet()) {
      U result = find.apply(e.getKey(), e.getValue());
      if (result != null) {
        found.add(result);
      }
    }
    return found;
  }

  public static <K, V, U> Map<U, Map<K, V>> groupBy(Map<K, V> map, BiFunction<K, V, U> key) {
    Map<U, Map<K, V>> groups = new LinkedHashMap<>();
    map.forEach(
        (k, v) -> groups.computeIfAbsent(key.apply(k, v), _ -> new LinkedHashMap<>()).put(k, v));
    return groups;
  }
}
