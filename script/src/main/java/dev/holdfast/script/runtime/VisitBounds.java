package dev.holdfast.script.runtime;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.LinkedList;
import java.util.List;
import java.util.Random;
import java.util.RandomAccess;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Methods of the JDK that go through all of what they are given: the same, after counting what
/// they visit ([Budget#visit]). `Class_method` as in [BoundedStatics].
@SuppressWarnings("JdkObsolete") // what scripts name
public final class VisitBounds {
  /// Visits that are not worth counting: with all steps of an execution they are no more than what
  /// it may have.
  private static final int FREE = 128;

  /// Elements that are moved in the time that one is visited.
  private static final int MOVED = 4;

  /// Characters that are compared in the time that one element is visited.
  private static final int COMPARED = 16;

  /// Characters that are searched in that time.
  private static final int SEARCHED = 4;

  /// Digits of a sorted number of elements: how often each is compared.
  private static final int SORTED = 16;

  private VisitBounds() {}

  public static void count(long visits) {
    if (visits > FREE) {
      Budget.visit(visits);
    }
  }

  /// Elements of a collection that are looked at to find one.
  static void countSearch(Collection<?> in) {
    if (!(in instanceof Set)) {
      count(in.size());
    }
  }

  /// Elements that are looked at to find all of the values.
  static void countSearches(Collection<?> in, Collection<?> values) {
    count((long) values.size() * (in instanceof Set ? 1 : Math.max(1, in.size())));
  }

  /// Characters that a text is compared with others of at most that many.
  public static void countTexts(@Nullable Object one, @Nullable Object other) {
    if (one instanceof String a && other instanceof String b) {
      count(Math.min(a.length(), b.length()) / COMPARED);
    }
  }

  public static void countFinding(CharSequence in, CharSequence part) {
    count((long) in.length() / SEARCHED * (1 + part.length() / COMPARED));
  }

  /// What is found by walking from an end.
  public static void countWalk(List<?> list) {
    count(list instanceof RandomAccess ? 0 : list.size() / 2);
  }

  /// What moves when an element comes or goes.
  public static void countMove(List<?> list) {
    count(list instanceof LinkedList ? list.size() / 2 : list.size() / MOVED);
  }

  public static int indexOf(String in, String part) {
    countFinding(in, part);
    return in.indexOf(part);
  }

  public static int indexOf(String in, String part, int from) {
    countFinding(in, part);
    return in.indexOf(part, from);
  }

  public static int lastIndexOf(String in, String part) {
    countFinding(in, part);
    return in.lastIndexOf(part);
  }

  public static int lastIndexOf(String in, String part, int from) {
    countFinding(in, part);
    return in.lastIndexOf(part, from);
  }

  public static boolean contains(String in, CharSequence part) {
    countFinding(in, part);
    return in.contains(part);
  }

  public static int indexOf(StringBuilder in, String part) {
    countFinding(in, part);
    return in.indexOf(part);
  }

  public static int lastIndexOf(StringBuilder in, String part) {
    countFinding(in, part);
    return in.lastIndexOf(part);
  }

  public static int compareTo(String one, String other) {
    countTexts(one, other);
    return one.compareTo(other);
  }

  public static int compareToIgnoreCase(String one, String other) {
    countTexts(one, other);
    return one.compareToIgnoreCase(other);
  }

  public static boolean equalsIgnoreCase(String one, String other) {
    countTexts(one, other);
    return one.equalsIgnoreCase(other);
  }

  public static boolean contentEquals(String one, CharSequence other) {
    count(Math.min(one.length(), other.length()));
    return one.contentEquals(other);
  }

  public static boolean startsWith(String text, String with) {
    count(with.length() / COMPARED);
    return text.startsWith(with);
  }

  public static boolean endsWith(String text, String with) {
    count(with.length() / COMPARED);
    return text.endsWith(with);
  }

  public static IntStream chars(CharSequence of) {
    count(of.length());
    return of.chars();
  }

  public static IntStream codePoints(CharSequence of) {
    count(of.length());
    return of.codePoints();
  }

  static void countInsertion(CharSequence in) {
    count(in.length() / MOVED);
  }

  public static StringBuilder reverse(StringBuilder of) {
    count(of.length());
    return of.reverse();
  }

  public static StringBuilder delete(StringBuilder of, int from, int to) {
    count(of.length() / MOVED);
    return of.delete(from, to);
  }

  public static StringBuilder deleteCharAt(StringBuilder of, int at) {
    count(of.length() / MOVED);
    return of.deleteCharAt(at);
  }

  public static @Nullable Object get(List<?> of, int at) {
    countWalk(of);
    return of.get(at);
  }

  public static @Nullable Object remove(List<?> from, int at) {
    countMove(from);
    return from.remove(at);
  }

  public static void sort(List<Object> list, Comparator<Object> by) {
    count((long) SORTED * list.size());
    list.sort(by);
  }

  @SuppressWarnings("unchecked") // what cannot be compared says so
  public static void Collections_sort(List<?> list) {
    count((long) SORTED * list.size());
    Collections.sort((List<Comparable<Object>>) list);
  }

  public static void Collections_sort(List<Object> list, Comparator<Object> by) {
    sort(list, by);
  }

  public static void Collections_reverse(List<?> list) {
    count(list.size());
    Collections.reverse(list);
  }

  public static void Collections_shuffle(List<?> list) {
    count(list.size());
    Collections.shuffle(list);
  }

  public static void Collections_shuffle(List<?> list, Random by) {
    count(list.size());
    Collections.shuffle(list, by);
  }

  public static void Collections_rotate(List<?> list, int by) {
    count(list.size());
    Collections.rotate(list, by);
  }

  public static void Collections_fill(List<Object> list, @Nullable Object with) {
    count(list.size());
    Collections.fill(list, with);
  }

  public static List<?> Collections_list(Enumeration<?> of) {
    List<@Nullable Object> list = new ArrayList<>();
    while (of.hasMoreElements()) {
      Budget.charge(Long.BYTES);
      list.add(of.nextElement());
    }
    return list;
  }

  public static int nextSetBit(BitSet of, int from) {
    int next = of.nextSetBit(from);
    count(((next < 0 ? of.length() : next) - from) / Long.SIZE);
    return next;
  }

  public static int nextClearBit(BitSet of, int from) {
    int next = of.nextClearBit(from);
    count((next - from) / Long.SIZE);
    return next;
  }

  public static int cardinality(BitSet of) {
    count(of.size() / Long.SIZE);
    return of.cardinality();
  }

  public static void and(BitSet one, BitSet other) {
    count(other.size() / Long.SIZE);
    one.and(other);
  }

  public static void andNot(BitSet one, BitSet other) {
    count(other.size() / Long.SIZE);
    one.andNot(other);
  }

  public static void or(BitSet one, BitSet other) {
    Budget.charge(Math.max(0, other.length() - one.size()) / Byte.SIZE);
    count(other.size() / Long.SIZE);
    one.or(other);
  }

  public static void xor(BitSet one, BitSet other) {
    Budget.charge(Math.max(0, other.length() - one.size()) / Byte.SIZE);
    count(other.size() / Long.SIZE);
    one.xor(other);
  }

  public static BigInteger divide(BigInteger a, BigInteger b) {
    countDigits(a, b);
    return a.divide(b);
  }

  public static BigInteger[] divideAndRemainder(BigInteger a, BigInteger b) {
    countDigits(a, b);
    return a.divideAndRemainder(b);
  }

  public static BigInteger remainder(BigInteger a, BigInteger b) {
    countDigits(a, b);
    return a.remainder(b);
  }

  public static BigInteger mod(BigInteger a, BigInteger b) {
    countDigits(a, b);
    return a.mod(b);
  }

  public static BigInteger gcd(BigInteger a, BigInteger b) {
    count((long) a.bitLength() * (b.bitLength() / Integer.SIZE) / 2);
    return a.gcd(b);
  }

  public static String toString(BigInteger of, int radix) {
    countDigits(of, of);
    String text = of.toString(radix);
    Made.count(text);
    return text;
  }

  /// Of a quotient of so many digits, nine of which are a word, the products of its words.
  static void countQuotient(int digits) {
    long words = Math.abs(digits) / 9;
    count(words * words);
  }

  /// Of two numbers that are multiplied or divided, the products of their words.
  static void countDigits(BigInteger a, BigInteger b) {
    count((long) a.bitLength() / Integer.SIZE * (b.bitLength() / Integer.SIZE));
  }
}
