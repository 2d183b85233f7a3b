package dev.holdfast.script.runtime;

import java.lang.reflect.Array;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// Elements of lists, maps and arrays. A negative index counts from the end.
public final class Lists {
  private Lists() {}

  public static @Nullable Object get(List<@Nullable Object> list, int index) {
    VisitBounds.countWalk(list);
    return list.get(index >= 0 ? index : index + list.size());
  }

  public static void set(List<@Nullable Object> list, int index, @Nullable Object value) {
    VisitBounds.countWalk(list);
    list.set(index >= 0 ? index : index + list.size(), value);
  }

  public static int index(Object array, int index) {
    return index >= 0 ? index : index + Array.getLength(array);
  }

  public static @Nullable Object entry(@Nullable Object map, @Nullable Object key) {
    return ((Map<?, ?>) present(map)).get(Contents.visited(key));
  }

  public static @Nullable Object put(
      Map<@Nullable Object, @Nullable Object> map, @Nullable Object key, @Nullable Object value) {
    int before = map.size();
    return GrowthAdditions.entry(map, before, map.put(Contents.visited(key), value));
  }

  private static Object present(@Nullable Object object) {
    if (object == null) {
      throw new NullPointerException("cannot access an element of a null def reference");
    }
    return object;
  }

  public static @Nullable Object element(@Nullable Object of, @Nullable Object key) {
    return switch (present(of)) {
      case Map<?, ?> map -> map.get(Contents.visited(key));
      case List<?> list -> {
        int index = DefCasts.implicitInt(key);
        VisitBounds.countWalk(list);
        yield list.get(index >= 0 ? index : index + list.size());
      }
      case Object array when array.getClass().isArray() ->
          Array.get(array, index(array, DefCasts.implicitInt(key)));
      case Object other -> throw noArray(other);
    };
  }

  private static IllegalArgumentException noArray(Object other) {
    return new IllegalArgumentException(
        "Attempting to address a non-array type ["
            + other.getClass().getCanonicalName()
            + "] as an array.");
  }

  @SuppressWarnings("unchecked") // what a script holds holds anything
  public static void setElement(@Nullable Object of, @Nullable Object key, @Nullable Object value) {
    switch (present(of)) {
      case Map<?, ?> map -> put((Map<@Nullable Object, @Nullable Object>) map, key, value);
      case List<?> list -> set((List<@Nullable Object>) list, DefCasts.implicitInt(key), value);
      case Object array when array.getClass().isArray() ->
          Array.set(array, index(array, DefCasts.implicitInt(key)), value);
      case Object other -> throw noArray(other);
    }
  }

  public static Iterator<?> iterator(@Nullable Object of) {
    return switch (present(of)) {
      case Iterable<?> values -> values.iterator();
      case Object array when array.getClass().isArray() -> new ArrayIterator(array);
      case Object other ->
          throw new IllegalArgumentException(
              "Cannot iterate over [" + other.getClass().getCanonicalName() + "]");
    };
  }

  private static final class ArrayIterator implements Iterator<@Nullable Object> {
    private final Object array;
    private int next;

    ArrayIterator(Object array) {
      this.array = array;
    }

    @Override
    public boolean hasNext() {
      return next < Array.getLength(array);
    }

    @Override
    public @Nullable Object next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return Array.get(array, next++);
    }
  }

  static boolean isIndex(String name) {
    return name.length() < 10 && name.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  public static long times(long a, long b) {
    return a < 0 || b < 0 ? 0 : Math.multiplyExact(Math.min(a, 1L << 31), Math.min(b, 1L << 31));
  }

  /// Asks for an array before it is made.
  public static void charge(long elements) {
    Budget.charge(16 + 8 * Math.max(0, Math.min(elements, 1L << 40)));
  }
}
