package dev.holdfast.script.runtime;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/// As [ContentStatics], of collectors that hash what comes.
public final class CollectorStatics {
  private CollectorStatics() {}

  private static Function<Object, Object> bounded(Function<Object, Object> key) {
    return value -> Contents.bounded(key.apply(value));
  }

  public static Collector<Object, ?, Set<Object>> Collectors_toSet() {
    return Collectors.mapping(Contents::bounded, Collectors.toSet());
  }

  public static Collector<Object, ?, Collection<Object>> Collectors_toCollection(
      Supplier<Collection<Object>> to) {
    return Collectors.mapping(Contents::bounded, Collectors.toCollection(to));
  }

  public static Collector<Object, ?, ?> Collectors_groupingBy(Function<Object, Object> key) {
    return Collectors.groupingBy(bounded(key));
  }

  public static Collector<Object, ?, ?> Collectors_groupingBy(
      Function<Object, Object> key, Collector<Object, ?, Object> inner) {
    return Collectors.groupingBy(bounded(key), inner);
  }

  public static Collector<Object, ?, ?> Collectors_groupingBy(
      Function<Object, Object> key,
      Supplier<Map<Object, Object>> to,
      Collector<Object, ?, Object> inner) {
    return Collectors.groupingBy(bounded(key), to, inner);
  }

  public static Collector<Object, ?, ?> Collectors_toMap(
      Function<Object, Object> key, Function<Object, Object> value) {
    return Collectors.toMap(bounded(key), value);
  }

  public static Collector<Object, ?, ?> Collectors_toMap(
      Function<Object, Object> key, Function<Object, Object> value, BinaryOperator<Object> both) {
    return Collectors.toMap(bounded(key), value, both);
  }

  public static Collector<Object, ?, ?> Collectors_toMap(
      Function<Object, Object> key,
      Function<Object, Object> value,
      BinaryOperator<Object> both,
      Supplier<Map<Object, Object>> to) {
    return Collectors.toMap(bounded(key), value, both, to);
  }
}
