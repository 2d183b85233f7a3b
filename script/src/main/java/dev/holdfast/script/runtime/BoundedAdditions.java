package dev.holdfast.script.runtime;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Methods of the JDK that a script could grow something with without a loop: the same, after
/// asking the budget.
public final class BoundedAdditions {
  /// Digits before or after the point, and thirty-second parts of the bits of a whole number.
  private static final int DIGITS_MAX = 10_000;

  private static final int BITS_MAX = 1 << 18;

  private BoundedAdditions() {}

  public static <T> boolean addAll(List<T> to, int at, Collection<? extends T> more) {
    Budget.charge(8L * more.size());
    VisitBounds.countMove(to);
    return to.addAll(at, more);
  }

  public static Object[] toArray(Collection<?> from) {
    Budget.charge(8L * from.size());
    return from.toArray();
  }

  public static String concat(String text, String more) {
    return Text.concat(text, more);
  }

  public static String replace(String text, CharSequence from, CharSequence to) {
    long grown = (long) text.length() / Math.max(1, from.length()) * to.length();
    Budget.charge(2L * text.length() + 2L * grown);
    return text.replace(from, to);
  }

  public static char[] toCharArray(String text) {
    Budget.charge(2L * text.length());
    return text.toCharArray();
  }

  public static String repeat(String text, int times) {
    Budget.charge(2L * text.length() * Math.max(0, times));
    return text.repeat(times);
  }

  public static String substring(String text, int from) {
    Budget.charge(2L * Math.max(0, text.length() - from));
    return text.substring(from);
  }

  public static String substring(String text, int from, int to) {
    Budget.charge(2L * Math.max(0, to - from));
    return text.substring(from, to);
  }

  public static StringBuilder append(StringBuilder to, @Nullable Object value) {
    String text = Text.of(value);
    Budget.charge(2L * text.length());
    return to.append(text);
  }

  public static StringBuilder append(StringBuilder to, CharSequence text, int from, int end) {
    Budget.charge(2L * Math.max(0, end - from));
    return to.append(text, from, end);
  }

  public static StringBuilder insert(StringBuilder to, int at, @Nullable Object value) {
    String text = Text.of(value);
    Budget.charge(2L * text.length());
    VisitBounds.countInsertion(to);
    return to.insert(at, text);
  }

  public static StringBuilder replace(StringBuilder in, int from, int to, String with) {
    Budget.charge(2L * with.length());
    return in.replace(from, to, with);
  }

  public static void setLength(StringBuilder of, int length) {
    Budget.charge(2L * Math.max(0, length));
    of.setLength(length);
  }

  public static String toString(StringBuilder text) {
    Budget.charge(2L * text.length());
    return text.toString();
  }

  public static void set(BitSet bits, int index) {
    Budget.charge(Math.max(0, index) / 64 > bits.size() / 64 ? index / 8 : 0);
    bits.set(index);
  }

  public static void set(BitSet bits, int from, int to) {
    Budget.charge(Math.max(0, to) / 8);
    bits.set(from, to);
  }

  public static void set(BitSet bits, int from, int to, boolean value) {
    Budget.charge(Math.max(0, to) / 8);
    bits.set(from, to, value);
  }

  public static void flip(BitSet bits, int index) {
    Budget.charge(Math.max(0, index) / 8);
    bits.flip(index);
  }

  public static void flip(BitSet bits, int from, int to) {
    Budget.charge(Math.max(0, to) / 8);
    bits.flip(from, to);
  }

  private static void requireSmall(long bits) {
    if (bits > BITS_MAX) {
      throw new ScriptLimitError("a number of more than [" + BITS_MAX + "] bits");
    }
  }

  public static BigInteger multiply(BigInteger a, BigInteger b) {
    requireSmall(a.bitLength() + (long) b.bitLength());
    VisitBounds.countDigits(a, b);
    return a.multiply(b);
  }

  public static BigInteger pow(BigInteger a, int exponent) {
    requireSmall(a.bitLength() * (long) Math.max(0, exponent));
    BigInteger power = a.pow(exponent);
    VisitBounds.countDigits(power, power);
    return power;
  }

  public static BigInteger shiftLeft(BigInteger a, int by) {
    requireSmall(a.bitLength() + (long) by);
    return a.shiftLeft(by);
  }

  public static BigInteger shiftRight(BigInteger a, int by) {
    requireSmall(a.bitLength() - (long) by);
    return a.shiftRight(by);
  }

  public static BigInteger setBit(BigInteger a, int bit) {
    requireSmall(bit);
    return a.setBit(bit);
  }

  public static BigInteger flipBit(BigInteger a, int bit) {
    requireSmall(bit);
    return a.flipBit(bit);
  }

  static BigDecimal small(BigDecimal value) {
    requireDigits(value.scale());
    requireDigits(value.precision());
    return value;
  }

  static int requireDigits(int digits) {
    if (Math.abs((long) digits) > DIGITS_MAX) {
      throw new ScriptLimitError("a number of more than [" + DIGITS_MAX + "] digits");
    }
    return digits;
  }

  public static BigDecimal multiply(BigDecimal a, BigDecimal b) {
    return small(a.multiply(b));
  }

  public static BigDecimal pow(BigDecimal a, int exponent) {
    if ((long) a.precision() * exponent > DIGITS_MAX
        || Math.abs((long) a.scale()) * exponent > DIGITS_MAX) {
      requireDigits(Integer.MAX_VALUE);
    }
    return a.pow(exponent);
  }

  public static BigDecimal setScale(BigDecimal a, int scale) {
    return a.setScale(requireDigits(scale));
  }

  public static BigDecimal setScale(BigDecimal a, int scale, RoundingMode rounding) {
    return a.setScale(requireDigits(scale), rounding);
  }

  public static BigDecimal scaleByPowerOfTen(BigDecimal a, int n) {
    return small(a.scaleByPowerOfTen(requireDigits(n)));
  }

  public static BigDecimal movePointLeft(BigDecimal a, int n) {
    return small(a.movePointLeft(requireDigits(n)));
  }

  public static BigDecimal movePointRight(BigDecimal a, int n) {
    return small(a.movePointRight(requireDigits(n)));
  }

  public static BigDecimal divide(BigDecimal a, BigDecimal b, int scale, RoundingMode rounding) {
    VisitBounds.countQuotient(requireDigits(scale));
    return a.divide(b, scale, rounding);
  }

  public static BigDecimal divide(BigDecimal a, BigDecimal b, MathContext rounding) {
    VisitBounds.countQuotient(rounding.getPrecision());
    return small(a.divide(b, rounding));
  }
}
