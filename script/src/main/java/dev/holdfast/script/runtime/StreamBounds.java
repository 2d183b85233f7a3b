package dev.holdfast.script.runtime;

import java.util.Comparator;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Streams within streams, streams that are held as a whole, and functions made of functions: the
/// same, but each element, and each function within another, counts.
// What a script holds holds anything; which of one name is called, its compiler decides.
@SuppressWarnings({"unchecked", "overloads"})
public final class StreamBounds {
  /// An element that is held, and a number in it.
  private static final int ELEMENT_BYTES = 24;

  /// An element of a set.
  private static final int ENTRY_BYTES = 64;

  /// Elements that are visited in the time that a function within another is called.
  private static final int CALL = 16;

  private StreamBounds() {}

  private static Stream<Object> inner(@Nullable Object stream) {
    return stream == null ? Stream.empty() : ((Stream<Object>) stream).peek(_ -> Budget.visit(1));
  }

  private static IntStream ints(@Nullable Object stream) {
    return stream == null ? IntStream.empty() : ((IntStream) stream).peek(_ -> Budget.visit(1));
  }

  private static LongStream longs(@Nullable Object stream) {
    return stream == null ? LongStream.empty() : ((LongStream) stream).peek(_ -> Budget.visit(1));
  }

  private static DoubleStream doubles(@Nullable Object stream) {
    return stream == null
        ? DoubleStream.empty()
        : ((DoubleStream) stream).peek(_ -> Budget.visit(1));
  }

  public static Stream<?> flatMap(Stream<?> of, Function<Object, ?> by) {
    return of.flatMap(value -> inner(by.apply(value)));
  }

  public static IntStream flatMapToInt(Stream<?> of, Function<Object, ?> by) {
    return of.flatMapToInt(value -> ints(by.apply(value)));
  }

  public static LongStream flatMapToLong(Stream<?> of, Function<Object, ?> by) {
    return of.flatMapToLong(value -> longs(by.apply(value)));
  }

  public static DoubleStream flatMapToDouble(Stream<?> of, Function<Object, ?> by) {
    return of.flatMapToDouble(value -> doubles(by.apply(value)));
  }

  public static IntStream flatMap(IntStream of, IntFunction<?> by) {
    return of.flatMap(value -> ints(by.apply(value)));
  }

  public static LongStream flatMap(LongStream of, LongFunction<?> by) {
    return of.flatMap(value -> longs(by.apply(value)));
  }

  public static DoubleStream flatMap(DoubleStream of, DoubleFunction<?> by) {
    return of.flatMap(value -> doubles(by.apply(value)));
  }

  public static Stream<?> sorted(Stream<?> of) {
    return of.peek(_ -> Budget.charge(ELEMENT_BYTES)).sorted();
  }

  public static Stream<?> sorted(Stream<?> of, Comparator<Object> by) {
    return ((Stream<Object>) of).peek(_ -> Budget.charge(ELEMENT_BYTES)).sorted(by);
  }

  public static IntStream sorted(IntStream of) {
    return of.peek(_ -> Budget.charge(Integer.BYTES)).sorted();
  }

  public static LongStream sorted(LongStream of) {
    return of.peek(_ -> Budget.charge(Long.BYTES)).sorted();
  }

  public static DoubleStream sorted(DoubleStream of) {
    return of.peek(_ -> Budget.charge(Double.BYTES)).sorted();
  }

  public static IntStream distinct(IntStream of) {
    return of.peek(_ -> Budget.charge(ENTRY_BYTES)).distinct();
  }

  public static LongStream distinct(LongStream of) {
    return of.peek(_ -> Budget.charge(ENTRY_BYTES)).distinct();
  }

  public static DoubleStream distinct(DoubleStream of) {
    return of.peek(_ -> Budget.charge(ENTRY_BYTES)).distinct();
  }

  public static Object[] toArray(Stream<?> of) {
    return of.peek(_ -> Budget.charge(ELEMENT_BYTES)).toArray();
  }

  public static Stream.Builder<?> add(Stream.Builder<?> to, @Nullable Object value) {
    Budget.charge(ELEMENT_BYTES);
    return ((Stream.Builder<@Nullable Object>) to).add(value);
  }

  public static IntStream.Builder add(IntStream.Builder to, int value) {
    Budget.charge(Integer.BYTES);
    return to.add(value);
  }

  public static LongStream.Builder add(LongStream.Builder to, long value) {
    Budget.charge(Long.BYTES);
    return to.add(value);
  }

  public static DoubleStream.Builder add(DoubleStream.Builder to, double value) {
    Budget.charge(Double.BYTES);
    return to.add(value);
  }

  /// One that is given itself sixty times compares 2^60 times.
  public static Comparator<?> thenComparing(Comparator<?> first, Comparator<Object> second) {
    return counted(((Comparator<Object>) first).thenComparing(second));
  }

  public static Comparator<?> thenComparing(
      Comparator<?> first, Function<Object, Object> key, Comparator<Object> second) {
    return counted(((Comparator<Object>) first).thenComparing(key, second));
  }

  private static Comparator<Object> counted(Comparator<Object> comparator) {
    return (a, b) -> {
      Budget.visit(CALL);
      return comparator.compare(a, b);
    };
  }

  public static Function<?, ?> andThen(Function<?, ?> first, Function<Object, Object> second) {
    return counted(((Function<Object, Object>) first).andThen(second));
  }

  public static Function<?, ?> compose(Function<?, ?> second, Function<Object, Object> first) {
    return counted(((Function<Object, Object>) second).compose(first));
  }

  private static Function<Object, Object> counted(Function<Object, Object> function) {
    return value -> {
      Budget.visit(CALL);
      return function.apply(value);
    };
  }

  public static Predicate<?> and(Predicate<?> first, Predicate<Object> second) {
    return counted(((Predicate<Object>) first).and(second));
  }

  public static Predicate<?> or(Predicate<?> first, Predicate<Object> second) {
    return counted(((Predicate<Object>) first).or(second));
  }

  private static Predicate<Object> counted(Predicate<Object> test) {
    return value -> {
      Budget.visit(CALL);
      return test.test(value);
    };
  }

  public static IntUnaryOperator andThen(IntUnaryOperator first, IntUnaryOperator second) {
    return value -> {
      Budget.visit(CALL);
      return second.applyAsInt(first.applyAsInt(value));
    };
  }

  public static IntUnaryOperator compose(IntUnaryOperator second, IntUnaryOperator first) {
    return andThen(first, second);
  }

  public static LongUnaryOperator andThen(LongUnaryOperator first, LongUnaryOperator second) {
    return value -> {
      Budget.visit(CALL);
      return second.applyAsLong(first.applyAsLong(value));
    };
  }

  public static LongUnaryOperator compose(LongUnaryOperator second, LongUnaryOperator first) {
    return andThen(first, second);
  }

  public static DoubleUnaryOperator andThen(DoubleUnaryOperator first, DoubleUnaryOperator second) {
    return value -> {
      Budget.visit(CALL);
      return second.applyAsDouble(first.applyAsDouble(value));
    };
  }

  public static DoubleUnaryOperator compose(DoubleUnaryOperator second, DoubleUnaryOperator first) {
    return andThen(first, second);
  }
}
