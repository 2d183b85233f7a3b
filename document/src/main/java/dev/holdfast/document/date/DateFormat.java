package dev.holdfast.document.date;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Nondeterminism;
import dev.holdfast.world.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A date format of a mapping or a request: built-in names and java.time patterns, alternatives
/// divided by `||`. Reads with the first alternative that can, writes with the first. Immutable.
public final class DateFormat {
  /// The format of a `date` field that names none.
  public static final DateFormat DEFAULT = of("strict_date_optional_time||epoch_millis");

  /// The format of a `date_nanos` field that names none.
  public static final DateFormat DEFAULT_NANOS =
      of("strict_date_optional_time_nanos||epoch_millis");

  /// What nanoseconds may add to a millisecond.
  private static final int NANOS_OF_MILLI = 999_999;

  private final String pattern;
  private final Locale locale;
  private final DateForm[] forms;

  private DateFormat(String pattern, Locale locale, List<DateForm> forms) {
    this.pattern = pattern;
    this.locale = locale;
    this.forms = forms.toArray(DateForm[]::new);
  }

  /// A format with English names of months and days.
  ///
  /// @throws Refusal `illegal_argument_exception` when the pattern is none
  public static DateFormat of(String pattern) {
    return of(pattern, Locale.ENGLISH);
  }

  /// @param locale of names of months and days
  /// @throws Refusal `illegal_argument_exception` when the pattern is none
  public static DateFormat of(String pattern, Locale locale) {
    if (pattern.isBlank()) {
      throw Refusal.badArgument("No date pattern provided");
    }
    List<DateForm> forms = new ArrayList<>();
    for (String alternative : pattern.split("\\|\\|", -1)) {
      String name = alternative.startsWith("8") ? alternative.substring(1) : alternative;
      if (name.isBlank()) {
        throw Refusal.badArgument(
            "Cannot have empty element in multi date format pattern: " + pattern);
      }
      DateForm named = NamedForms.of(name);
      forms.add(named == null ? custom(name, locale) : named);
    }
    return new DateFormat(pattern, locale, forms);
  }

  /// This format with another pattern; null for the same.
  public DateFormat withPattern(@Nullable String other) {
    return other == null ? this : of(other, locale);
  }

  /// Whether a pattern is one of letters of which none is a year: `MMM d HH:mm:ss`.
  public static boolean lacksYear(String pattern) {
    if (pattern.contains("||") || NamedForms.of(pattern) != null) {
      return false;
    }
    boolean isQuoted = false;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      isQuoted ^= c == '\'';
      if (!isQuoted && "yuY".indexOf(c) >= 0) {
        return false;
      }
    }
    return true;
  }

  private static DateForm custom(String pattern, Locale locale) {
    try {
      DateTimeFormatter formatter =
          new DateTimeFormatterBuilder()
              .appendPattern(proleptic(pattern))
              .toFormatter(locale)
              .withResolverStyle(ResolverStyle.STRICT);
      return NumericForm.of(pattern, new JavaTimeForm(List.of(formatter), formatter));
    } catch (IllegalArgumentException notAPattern) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "Invalid format: [" + pattern + "]: " + notAPattern.getMessage(),
          notAPattern);
    }
  }

  /// The pattern with years of era as plain years: strict resolution takes no year of era without
  /// its era.
  private static String proleptic(String pattern) {
    if (pattern.indexOf('G') >= 0) {
      return pattern;
    }
    StringBuilder years = new StringBuilder();
    boolean isQuoted = false;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      isQuoted ^= c == '\'';
      years.append(c == 'y' && !isQuoted ? 'u' : c);
    }
    return years.toString();
  }

  /// The pattern as it was given.
  public String pattern() {
    return pattern;
  }

  /// Milliseconds since 1970 (UTC) of the date that the bytes are; without a zone it is UTC.
  ///
  /// @throws Refusal `illegal_argument_exception` when they are none
  public long parseMillis(byte[] utf8, int offset, int length) {
    return parse(utf8, offset, length, Reading.MILLIS);
  }

  /// Nanoseconds since 1970 (UTC).
  ///
  /// @throws Refusal `illegal_argument_exception` when the bytes are no date, or one before 1970 or
  ///   after 2262
  public long parseNanos(byte[] utf8, int offset, int length) {
    return parse(utf8, offset, length, Reading.NANOS);
  }

  /// Whether the bytes are a date of this format.
  public boolean matches(byte[] utf8, int offset, int length) {
    return find(utf8, offset, length, Reading.MILLIS) != DateForm.NOT_A_DATE;
  }

  /// Milliseconds since 1970 (UTC) of a date in a request, with date math: `now-1d/d`,
  /// `2020-01-01||+1M/d`.
  ///
  /// @param zone of dates that name none, and of rounding; null for UTC
  /// @param roundUp whether missing parts of the time, and what `/` rounds, mean their last
  ///   millisecond
  /// @throws Refusal `parse_exception` when it is none
  public long parseMillis(String text, @Nullable ZoneId zone, boolean roundUp, long nowMillis) {
    if (text.startsWith("now")) {
      Nondeterminism.note();
      return DateMath.apply(text.substring(3), nowMillis, zone, roundUp);
    }
    int bars = text.indexOf("||");
    if (bars < 0) {
      return parseText(text, zone, roundUp);
    }
    return DateMath.apply(
        text.substring(bars + 2), parseText(text.substring(0, bars), zone, false), zone, roundUp);
  }

  /// The instant that a text means, without date math: to the nanosecond from 1970 to 2262, to the
  /// millisecond before and after.
  ///
  /// @param zone of dates that name none
  /// @throws Refusal `illegal_argument_exception` when it is none
  public Instant parseInstant(String text, ZoneId zone) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    Reading millis = new Reading(Reading.MILLIS.unitsPerSecond(), zone, false);
    Instant instant = Instant.ofEpochMilli(parse(utf8, 0, utf8.length, millis));
    if (!Reading.hasNanos(instant.getEpochSecond(), instant.getNano() + NANOS_OF_MILLI)) {
      return instant;
    }
    Reading nanos = new Reading(Reading.NANOS.unitsPerSecond(), zone, false);
    return Instant.ofEpochSecond(0, parse(utf8, 0, utf8.length, nanos));
  }

  private long parseText(String text, @Nullable ZoneId zone, boolean roundUp) {
    if (text.isEmpty()) {
      throw new Refusal(ErrorType.PARSE, "cannot parse empty datetime");
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    try {
      return parse(utf8, 0, utf8.length, new Reading(1000, zone, roundUp));
    } catch (Refusal notADate) {
      throw new Refusal(
          ErrorType.PARSE, notADate.reason() + ": [" + notADate.reason() + "]", notADate);
    }
  }

  /// The instant in this format's first alternative.
  ///
  /// @param zone null for UTC
  public String format(long epochMillis, @Nullable ZoneId zone) {
    return format(Instant.ofEpochMilli(epochMillis), zone);
  }

  /// The instant, to the nanosecond where the format has a fraction.
  ///
  /// @param zone null for UTC
  public String formatNanos(long epochNanos, @Nullable ZoneId zone) {
    return format(Instant.ofEpochSecond(0, epochNanos), zone);
  }

  /// The same.
  public String format(Instant instant, @Nullable ZoneId zone) {
    return forms[0].format(instant.atZone(zone == null ? ZoneOffset.UTC : zone));
  }

  private long parse(byte[] utf8, int offset, int length, Reading reading) {
    long instant = find(utf8, offset, length, reading);
    if (instant == DateForm.NOT_A_DATE) {
      throw refusal(new String(utf8, offset, length, StandardCharsets.UTF_8));
    }
    return instant;
  }

  private long find(byte[] utf8, int offset, int length, Reading reading) {
    for (DateForm form : forms) {
      long instant = form.parse(utf8, offset, length, reading);
      if (instant != DateForm.NOT_A_DATE) {
        return instant;
      }
    }
    return DateForm.NOT_A_DATE;
  }

  private Refusal refusal(String text) {
    String cause =
        forms.length > 1
            ? "Failed to parse with all enclosed parsers"
            : "Text '" + text + "' could not be parsed at index 0";
    return new Refusal(
        ErrorType.ILLEGAL_ARGUMENT,
        "failed to parse date field [" + text + "] with format [" + pattern + "]",
        new Refusal(ErrorType.DATE_TIME_PARSE, cause));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DateFormat format
        && format.pattern.equals(pattern)
        && format.locale.equals(locale);
  }

  @Override
  public int hashCode() {
    return 31 * pattern.hashCode() + locale.hashCode();
  }

  @Override
  public String toString() {
    return pattern;
  }
}
