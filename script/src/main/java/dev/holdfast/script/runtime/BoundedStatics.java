package dev.holdfast.script.runtime;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Static methods and constructors of the JDK that allocate or run as long as an argument says: the
/// same with a bound. `Class_method` stands for `Class.method`, `Class_new` for its constructor.
public final class BoundedStatics {
  private static final long RANGE_MAX = 10_000_000;
  private static final Pattern WIDTH = Pattern.compile("%[^a-zA-Z%]*?(\\d{5,})");

  private BoundedStatics() {}

  public static IntStream IntStream_range(int from, int to) {
    requireRange(from, to);
    return IntStream.range(from, to);
  }

  public static IntStream IntStream_rangeClosed(int from, int to) {
    requireRange(from, to);
    return IntStream.rangeClosed(from, to);
  }

  public static LongStream LongStream_range(long from, long to) {
    requireRange(from, to);
    return LongStream.range(from, to);
  }

  public static LongStream LongStream_rangeClosed(long from, long to) {
    requireRange(from, to);
    return LongStream.rangeClosed(from, to);
  }

  private static void requireRange(long from, long to) {
    if (to > from && (to - from > RANGE_MAX || to - from < 0)) {
      throw new ScriptLimitError("a range of more than [" + RANGE_MAX + "] numbers");
    }
    VisitBounds.count(Math.max(0, to - from));
  }

  public static String String_join(CharSequence separator, Iterable<? extends CharSequence> of) {
    for (CharSequence part : of) {
      Budget.charge(2L * (part == null ? 4 : part.length()) + 2L * separator.length());
    }
    return String.join(separator, of);
  }

  public static String String_format(String format, @Nullable Object[] with) {
    return String_format(Locale.ROOT, format, with);
  }

  public static String String_format(Locale locale, String format, @Nullable Object[] with) {
    Matcher matcher = WIDTH.matcher(format);
    if (matcher.find()) {
      throw new ScriptLimitError("a width of more than [9999] characters in a format");
    }
    long longest = 0;
    for (Object one : with) {
      longest = Math.max(longest, Text.of(one).length());
    }
    Budget.charge(4L * format.length() * 1_000L);
    Budget.charge(2L * format.chars().filter(c -> c == '%').count() * longest);
    return String.format(locale, format, with);
  }

  public static List<Object> Collections_nCopies(int n, Object of) {
    Budget.charge(8L * Math.max(0, n));
    return Collections.nCopies(n, of);
  }

  @SuppressWarnings("NonApiType") // what the constructor makes
  public static ArrayList<Object> ArrayList_new(Collection<Object> of) {
    Budget.charge(8L * of.size());
    return new ArrayList<>(of);
  }

  public static BitSet BitSet_new(int bits) {
    Budget.charge(Math.max(0, bits) / 8L);
    return new BitSet(bits);
  }

  public static MathContext MathContext_new(int precision) {
    return new MathContext(BoundedAdditions.requireDigits(precision));
  }

  public static BigDecimal BigDecimal_new(String text) {
    BoundedAdditions.requireDigits(text.length());
    return BoundedAdditions.small(new BigDecimal(text));
  }

  public static BigDecimal BigDecimal_valueOf(long unscaled, int scale) {
    return BigDecimal.valueOf(unscaled, BoundedAdditions.requireDigits(scale));
  }

  public static BigInteger BigInteger_new(String text) {
    BoundedAdditions.requireDigits(text.length());
    return new BigInteger(text);
  }
}
