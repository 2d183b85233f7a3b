package dev.holdfast.script.runtime;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.text.FieldPosition;
import java.text.Format;
import java.text.Normalizer;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.util.Base64;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/// Methods of the JDK that make a text many times as long as what they are given, or add to one:
/// the same, after asking the budget. `Class_method` and `Class_new` as in [BoundedStatics].
@SuppressWarnings("JdkObsolete") // what scripts name
public final class TextBounds {
  /// Characters that one becomes at most when a text is normalised.
  private static final int NORMALIZED_MAX = 18;

  /// Shorter texts are normalised without asking first.
  private static final int NORMALIZED_FREE = 4096;

  /// Bytes between the lines of what is encoded.
  private static final int SEPARATOR_MAX = 16;

  private TextBounds() {}

  @SuppressWarnings("ReferenceEquality") // a text that was not changed takes no memory
  private static String made(String of, String result) {
    if (result != of) {
      Made.count(result);
    }
    return result;
  }

  public static String toLowerCase(String text) {
    return made(text, text.toLowerCase(Locale.ROOT));
  }

  public static String toLowerCase(String text, Locale locale) {
    return made(text, text.toLowerCase(locale));
  }

  public static String toUpperCase(String text) {
    return made(text, text.toUpperCase(Locale.ROOT));
  }

  public static String toUpperCase(String text, Locale locale) {
    return made(text, text.toUpperCase(locale));
  }

  public static String trim(String text) {
    return made(text, text.trim());
  }

  public static StringBuffer append(StringBuffer to, @Nullable Object value) {
    String text = Text.of(value);
    Budget.charge(2L * text.length());
    return to.append(text);
  }

  public static StringBuffer append(StringBuffer to, CharSequence text, int from, int end) {
    Budget.charge(2L * Math.max(0, end - from));
    return to.append(text, from, end);
  }

  public static Appendable append(Appendable to, CharSequence text, int from, int end)
      throws IOException {
    Budget.charge(2L * Math.max(0, end - from));
    return to.append(text, from, end);
  }

  public static StringBuffer insert(StringBuffer to, int at, @Nullable Object value) {
    String text = Text.of(value);
    Budget.charge(2L * text.length());
    VisitBounds.countInsertion(to);
    return to.insert(at, text);
  }

  public static StringBuffer replace(StringBuffer in, int from, int to, String with) {
    Budget.charge(2L * with.length());
    return in.replace(from, to, with);
  }

  public static void setLength(StringBuffer of, int length) {
    Budget.charge(2L * Math.max(0, length));
    of.setLength(length);
  }

  public static String replaceAll(Matcher in, String with) {
    return replaced(in, with, Integer.MAX_VALUE);
  }

  public static String replaceFirst(Matcher in, String with) {
    return replaced(in, with, 1);
  }

  private static String replaced(Matcher in, String with, int most) {
    long groups = with.chars().filter(c -> c == '$').count();
    StringBuilder result = new StringBuilder();
    in.reset();
    for (int i = 0; i < most && in.find(); i++) {
      Budget.charge(2L * (with.length() + groups * (in.end() - in.start())));
      in.appendReplacement(result, with);
    }
    in.appendTail(result);
    return made(with, result.toString());
  }

  public static StringJoiner merge(StringJoiner to, StringJoiner other) {
    Budget.charge(2L * other.length());
    return to.merge(other);
  }

  public static StringBuffer format(
      Format format, Object value, StringBuffer to, FieldPosition position) {
    int before = to.length();
    StringBuffer result = format.format(value, to, position);
    Budget.charge(2L * (result.length() - before));
    return result;
  }

  public static void formatTo(DateTimeFormatter format, TemporalAccessor value, Appendable to)
      throws IOException {
    String text = format.format(value);
    Made.count(text);
    to.append(text);
  }

  public static DateTimeFormatterBuilder padNext(DateTimeFormatterBuilder of, int width) {
    return of.padNext(BoundedAdditions.requireDigits(width));
  }

  public static DateTimeFormatterBuilder padNext(
      DateTimeFormatterBuilder of, int width, char with) {
    return of.padNext(BoundedAdditions.requireDigits(width), with);
  }

  public static DateTimeFormatterBuilder appendLiteral(DateTimeFormatterBuilder to, String text) {
    Budget.charge(2L * text.length());
    return to.appendLiteral(text);
  }

  /// A formatter may be added to one that is added twice to the next: what counts is all that it
  /// writes.
  public static DateTimeFormatterBuilder append(
      DateTimeFormatterBuilder to, DateTimeFormatter format) {
    Made.count(format.toString());
    return to.append(format);
  }

  public static DateTimeFormatterBuilder appendOptional(
      DateTimeFormatterBuilder to, DateTimeFormatter format) {
    Made.count(format.toString());
    return to.appendOptional(format);
  }

  public static String Normalizer_normalize(CharSequence text, Normalizer.Form form) {
    if (text.length() > NORMALIZED_FREE) {
      Budget.charge(2L * NORMALIZED_MAX * text.length());
    }
    String result = Normalizer.normalize(text, form);
    Made.count(result);
    return result;
  }

  public static Base64.Encoder Base64_getMimeEncoder(int line, byte[] separator) {
    if (separator.length > SEPARATOR_MAX) {
      throw new ScriptLimitError("a separator of more than [" + SEPARATOR_MAX + "] bytes");
    }
    return Base64.getMimeEncoder(line, separator);
  }

  public static BigInteger BigInteger_new(String text, int radix) {
    BoundedAdditions.requireDigits(text.length());
    return new BigInteger(text, radix);
  }

  public static BigDecimal BigDecimal_new(String text, MathContext rounding) {
    BoundedAdditions.requireDigits(text.length());
    return BoundedAdditions.small(new BigDecimal(text, rounding));
  }

  public static String Objects_toString(@Nullable Object of, String otherwise) {
    return of == null ? otherwise : Text.of(of);
  }

  public static String String_valueOf(@Nullable Object of) {
    return Text.of(of);
  }
}
