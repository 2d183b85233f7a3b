package dev.holdfast.script.runtime;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/// As [ContentStatics], of collectors that hash what comes; what they keep counts.
public final class CollectorStatics {
  private static final int ELEMENT_BYTES = 24;
  private static final int ENTRY_BYTES = 64;

  private CollectorStatics() {}

  private static Function<Object, Object> bounded(Function<Object, Object> key) {
    return value -> Contents.visited(key.apply(value));
  }

  private static <T> Collector<Object, ?, T> kept(int bytes, Collector<Object, ?, T> into) {
    return Collectors.mapping(
        value -> {
          Budget.charge(bytes);
          return value;
        },
        into);
  }

  public static Collector<Object, ?, List<Object>> Collectors_toList() {
    return kept(ELEMENT_BYTES, Collectors.toList());
  }

  public static Collector<Object, ?, Set<Object>> Collectors_toSet() {
    return kept(ENTRY_BYTES, Collectors.mapping(Contents::visited, Collectors.toSet()));
  }

  public static Collector<Object, ?, String> Collectors_joining() {
    return Collectors_joining("");
  }

  public static Collector<Object, ?, String> Collectors_joining(CharSequence separator) {
    return Collectors_joining(separator, "", "");
  }

  public static Collector<Object, ?, String> Collectors_joining(
      CharSequence separator, CharSequence prefix, CharSequence suffix) {
    return Collectors.mapping(
        value -> {
          CharSequence text = (CharSequence) value;
          int length = text == null ? 4 : text.length();
          Budget.charge(ELEMENT_BYTES + 2L * length + 2L * separator.length());
          return text;
        },
        Collectors.joining(separator, prefix, suffix));
  }

  public static Collector<Object, ?, ?> Collectors_partitioningBy(Predicate<Object> test) {
    return Collectors.partitioningBy(test, Collectors_toList());
  }

  public static Collector<Object, ?, Collection<Object>> Collectors_toCollection(
      Supplier<Collection<Object>> to) {
    return kept(ENTRY_BYTES, Collectors.mapping(Contents::visited, Collectors.toCollection(to)));
  }

  public static Collector<Object, ?, ?> Collectors_groupingBy(Function<Object, Object> key) {
    return kept(ENTRY_BYTES, Collectors.groupingBy(bounded(key)));
  }

  public static Collector<Object, ?, ?> Collectors_groupingBy(
      Function<Object, Object> key, Collector<Object, ?, Object> inner) {
    return kept(ENTRY_BYTES, Collectors.groupingBy(bounded(key), inner));
  }

  public static Collector<Object, ?, ?> Collectors_groupingBy(
      Function<Object, Object> key,
      Supplier<Map<Object, Object>> to,
      Collector<Object, ?, Object> inner) {
    return kept(ENTRY_BYTES, Collectors.groupingBy(bounded(key), to, inner));
  }

  public static Collector<Object, ?, ?> Collectors_toMap(
      Function<Object, Object> key, Function<Object, Object> value) {
    return kept(ENTRY_BYTES, Collectors.toMap(bounded(key), value));
  }

  public static Collector<Object, ?, ?> Collectors_toMap(
      Function<Object, Object> key, Function<Object, Object> value, BinaryOperator<Object> both) {
    return kept(ENTRY_BYTES, Collectors.toMap(bounded(key), value, both));
  }

  public static Collector<Object, ?, ?> Collectors_toMap(
      Function<Object, Object> key,
      Function<Object, Object> value,
      BinaryOperator<Object> both,
      Supplier<Map<Object, Object>> to) {
    return kept(ENTRY_BYTES, Collectors.toMap(bounded(key), value, both, to));
  }
}
