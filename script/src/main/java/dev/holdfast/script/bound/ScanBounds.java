package dev.holdfast.script.bound;

import dev.holdfast.script.runtime.ContentAdditions;
import dev.holdfast.script.runtime.Contents;
import dev.holdfast.script.runtime.VisitBounds;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Stack;
import java.util.StringTokenizer;
import java.util.TreeMap;
import java.util.Vector;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// As [VisitBounds], of what goes from one end of something to the other: of lists and streams,
/// whatever is done with each element, of texts, and of trees whose size is counted when it is
/// asked for.
@SuppressWarnings("JdkObsolete") // what scripts name
public final class ScanBounds {
  /// Characters that are gone through in the time that one element is visited.
  private static final int CHARACTERS = 4;

  private ScanBounds() {}

  public static Stream<?> stream(Collection<?> of) {
    VisitBounds.count(of.size());
    return of.stream();
  }

  public static IntStream IntStream_of(int[] of) {
    VisitBounds.count(of.length);
    return IntStream.of(of);
  }

  public static LongStream LongStream_of(long[] of) {
    VisitBounds.count(of.length);
    return LongStream.of(of);
  }

  public static DoubleStream DoubleStream_of(double[] of) {
    VisitBounds.count(of.length);
    return DoubleStream.of(of);
  }

  public static Stream<?> Stream_of(@Nullable Object[] of) {
    VisitBounds.count(of.length);
    return Stream.of(of);
  }

  @SuppressWarnings("unchecked") // what cannot be compared says so
  public static Object Collections_max(Collection<?> of) {
    VisitBounds.count(of.size());
    return Collections.max((Collection<Comparable<Object>>) of);
  }

  public static Object Collections_max(Collection<Object> of, Comparator<Object> by) {
    VisitBounds.count(of.size());
    return Collections.max(of, by);
  }

  @SuppressWarnings("unchecked") // what cannot be compared says so
  public static Object Collections_min(Collection<?> of) {
    VisitBounds.count(of.size());
    return Collections.min((Collection<Comparable<Object>>) of);
  }

  public static Object Collections_min(Collection<Object> of, Comparator<Object> by) {
    VisitBounds.count(of.size());
    return Collections.min(of, by);
  }

  public static void Collections_copy(List<Object> to, List<Object> from) {
    VisitBounds.count(from.size());
    Collections.copy(to, from);
  }

  public static boolean Collections_addAll(Collection<?> to, @Nullable Object[] more) {
    boolean isChanged = false;
    for (Object one : more) {
      isChanged |= ContentAdditions.add(to, one);
    }
    VisitBounds.count(more.length);
    return isChanged;
  }

  static void countSteps(List<?> list) {
    VisitBounds.count(list instanceof RandomAccess ? 0 : list.size());
  }

  @SuppressWarnings("unchecked") // what cannot be compared says so
  public static int Collections_binarySearch(List<?> in, Object key) {
    countSteps(in);
    return Collections.binarySearch((List<Comparable<Object>>) in, key);
  }

  public static int Collections_binarySearch(
      List<Object> in, @Nullable Object key, Comparator<@Nullable Object> by) {
    countSteps(in);
    return Collections.binarySearch(in, key, by);
  }

  public static void Collections_swap(List<?> in, int one, int other) {
    countSteps(in);
    Collections.swap(in, one, other);
  }

  public static void replaceAll(List<Object> in, UnaryOperator<Object> by) {
    VisitBounds.count(in.size());
    in.replaceAll(by);
  }

  public static boolean removeIf(Collection<Object> from, Predicate<Object> test) {
    VisitBounds.count(from.size());
    return from.removeIf(test);
  }

  public static void replaceAll(Map<Object, Object> in, BiFunction<Object, Object, Object> by) {
    VisitBounds.count(in.size());
    in.replaceAll(by);
  }

  /// A part of a tree counts its elements each time, and so does whoever shows one.
  public static int size(Collection<?> of) {
    int size = of.size();
    if (!(of instanceof List)) {
      boolean isTree = of instanceof SortedSet || !(of instanceof Set) || mayShowTree(of);
      VisitBounds.count(isTree ? size : 0);
    }
    return size;
  }

  public static int size(Map<?, ?> of) {
    int size = of.size();
    boolean isPart = of instanceof SortedMap && of.getClass() != TreeMap.class;
    VisitBounds.count(isPart || mayShowTree(of) ? size : 0);
    return size;
  }

  private static boolean mayShowTree(Object of) {
    String name = of.getClass().getName();
    return name.startsWith("java.util.TreeMap$") || name.startsWith("java.util.Collections$");
  }

  public static int search(Stack<?> in, @Nullable Object value) {
    VisitBounds.count(in.size());
    return in.search(Contents.visited(value));
  }

  public static int lastIndexOf(Vector<?> in, @Nullable Object value, int from) {
    VisitBounds.count(in.size());
    return in.lastIndexOf(Contents.visited(value), from);
  }

  public static boolean removeElement(Vector<?> from, @Nullable Object value) {
    VisitBounds.count(from.size());
    return from.removeElement(Contents.visited(value));
  }

  public static void removeElementAt(Vector<?> from, int at) {
    VisitBounds.countMove(from);
    from.removeElementAt(at);
  }

  public static void copyInto(Vector<?> from, Object[] to) {
    VisitBounds.count(from.size());
    from.copyInto(to);
  }

  public static boolean regionMatches(String one, int at, String other, int from, int length) {
    VisitBounds.countTexts(one, other);
    return one.regionMatches(at, other, from, length);
  }

  public static boolean regionMatches(
      String one, boolean ignoresCase, int at, String other, int from, int length) {
    VisitBounds.countTexts(one, other);
    return one.regionMatches(ignoresCase, at, other, from, length);
  }

  public static boolean startsWith(String text, String with, int from) {
    VisitBounds.countTexts(text, with);
    return text.startsWith(with, from);
  }

  private static void countCharacters(long characters) {
    VisitBounds.count(Math.abs(characters) / CHARACTERS);
  }

  public static int codePointCount(String of, int from, int to) {
    countCharacters(of.length());
    return of.codePointCount(from, to);
  }

  public static int offsetByCodePoints(String of, int from, int by) {
    countCharacters(of.length());
    return of.offsetByCodePoints(from, by);
  }

  public static void getChars(String of, int from, int to, char[] into, int at) {
    countCharacters((long) to - from);
    of.getChars(from, to, into, at);
  }

  public static int codePointCount(StringBuilder of, int from, int to) {
    countCharacters(of.length());
    return of.codePointCount(from, to);
  }

  public static int offsetByCodePoints(StringBuilder of, int from, int by) {
    countCharacters(of.length());
    return of.offsetByCodePoints(from, by);
  }

  public static void getChars(StringBuilder of, int from, int to, char[] into, int at) {
    countCharacters((long) to - from);
    of.getChars(from, to, into, at);
  }

  public static int indexOf(StringBuilder in, String part, int from) {
    VisitBounds.countFinding(in, part);
    return in.indexOf(part, from);
  }

  public static int lastIndexOf(StringBuilder in, String part, int from) {
    VisitBounds.countFinding(in, part);
    return in.lastIndexOf(part, from);
  }

  public static void clear(BitSet of) {
    VisitBounds.count(of.length() / Long.SIZE);
    of.clear();
  }

  public static void clear(BitSet of, int from, int to) {
    VisitBounds.count(of.length() / Long.SIZE);
    of.clear(from, to);
  }

  public static boolean intersects(BitSet one, BitSet other) {
    VisitBounds.count(Math.min(one.length(), other.length()) / Long.SIZE);
    return one.intersects(other);
  }

  public static int previousSetBit(BitSet of, int from) {
    VisitBounds.count(Math.min(of.length(), Math.max(0, from)) / Long.SIZE);
    return of.previousSetBit(from);
  }

  public static int previousClearBit(BitSet of, int from) {
    VisitBounds.count(Math.min(of.length(), Math.max(0, from)) / Long.SIZE);
    return of.previousClearBit(from);
  }

  public static StringTokenizer StringTokenizer_new(String text) {
    return new CountedTokenizer(text, " \t\n\r\f", false);
  }

  public static StringTokenizer StringTokenizer_new(String text, String between) {
    return new CountedTokenizer(text, between, false);
  }

  public static StringTokenizer StringTokenizer_new(
      String text, String between, boolean givesThose) {
    return new CountedTokenizer(text, between, givesThose);
  }

  /// Each character is looked for among those that lie between words.
  private static final class CountedTokenizer extends StringTokenizer {
    private final long length;
    private final long cost;

    CountedTokenizer(String text, String between, boolean givesThose) {
      super(text, between, givesThose);
      this.length = text.length();
      this.cost = length * (1 + between.length() / CHARACTERS);
      VisitBounds.count(cost);
    }

    @Override
    public int countTokens() {
      VisitBounds.count(cost);
      return super.countTokens();
    }

    @Override
    public String nextToken(String between) {
      VisitBounds.count(length * (1 + between.length() / CHARACTERS));
      return super.nextToken(between);
    }
  }
}
