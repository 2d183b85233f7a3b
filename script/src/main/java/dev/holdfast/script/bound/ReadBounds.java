package dev.holdfast.script.bound;

import dev.holdfast.script.runtime.Budget;
import dev.holdfast.script.runtime.Made;
import dev.holdfast.script.runtime.VisitBounds;
import java.text.DateFormat;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.Format;
import java.text.NumberFormat;
import java.text.ParseException;
import java.text.ParsePosition;
import java.text.SimpleDateFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQuery;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// As [VisitBounds], of texts that are read as dates, times and numbers, or as patterns of those:
/// each may be as long as all that a script may have, and be read as often as a script has steps.
public final class ReadBounds {
  /// What is made of a character of a pattern.
  private static final int PRINTER_BYTES = 64;

  /// Of a list of languages, characters that are compared with one.
  private static final int LANGUAGE = 64;

  private ReadBounds() {}

  private static <T extends @Nullable CharSequence> T read(T text) {
    VisitBounds.count(text == null ? 0 : text.length());
    return text;
  }

  private static <T extends @Nullable Object> T made(T result) {
    Made.count(result);
    return result;
  }

  private static String pattern(String text) {
    Budget.charge((long) PRINTER_BYTES * text.length());
    return read(text);
  }

  public static Duration Duration_parse(CharSequence text) {
    return made(Duration.parse(read(text)));
  }

  public static Instant Instant_parse(CharSequence text) {
    return made(Instant.parse(read(text)));
  }

  public static Period Period_parse(CharSequence text) {
    return made(Period.parse(read(text)));
  }

  public static LocalDate LocalDate_parse(CharSequence text) {
    return made(LocalDate.parse(read(text)));
  }

  public static LocalDate LocalDate_parse(CharSequence text, DateTimeFormatter by) {
    return made(LocalDate.parse(read(text), by));
  }

  public static LocalDateTime LocalDateTime_parse(CharSequence text) {
    return made(LocalDateTime.parse(read(text)));
  }

  public static LocalDateTime LocalDateTime_parse(CharSequence text, DateTimeFormatter by) {
    return made(LocalDateTime.parse(read(text), by));
  }

  public static LocalTime LocalTime_parse(CharSequence text) {
    return made(LocalTime.parse(read(text)));
  }

  public static LocalTime LocalTime_parse(CharSequence text, DateTimeFormatter by) {
    return made(LocalTime.parse(read(text), by));
  }

  public static MonthDay MonthDay_parse(CharSequence text) {
    return made(MonthDay.parse(read(text)));
  }

  public static MonthDay MonthDay_parse(CharSequence text, DateTimeFormatter by) {
    return made(MonthDay.parse(read(text), by));
  }

  public static OffsetDateTime OffsetDateTime_parse(CharSequence text) {
    return made(OffsetDateTime.parse(read(text)));
  }

  public static OffsetDateTime OffsetDateTime_parse(CharSequence text, DateTimeFormatter by) {
    return made(OffsetDateTime.parse(read(text), by));
  }

  public static OffsetTime OffsetTime_parse(CharSequence text) {
    return made(OffsetTime.parse(read(text)));
  }

  public static OffsetTime OffsetTime_parse(CharSequence text, DateTimeFormatter by) {
    return made(OffsetTime.parse(read(text), by));
  }

  public static Year Year_parse(CharSequence text) {
    return made(Year.parse(read(text)));
  }

  public static Year Year_parse(CharSequence text, DateTimeFormatter by) {
    return made(Year.parse(read(text), by));
  }

  public static YearMonth YearMonth_parse(CharSequence text) {
    return made(YearMonth.parse(read(text)));
  }

  public static YearMonth YearMonth_parse(CharSequence text, DateTimeFormatter by) {
    return made(YearMonth.parse(read(text), by));
  }

  public static ZonedDateTime ZonedDateTime_parse(CharSequence text) {
    return made(ZonedDateTime.parse(read(text)));
  }

  public static ZonedDateTime ZonedDateTime_parse(CharSequence text, DateTimeFormatter by) {
    return made(ZonedDateTime.parse(read(text), by));
  }

  public static TemporalAccessor parse(DateTimeFormatter by, CharSequence text) {
    return made(by.parse(read(text)));
  }

  public static Object parse(DateTimeFormatter by, CharSequence text, TemporalQuery<?> as) {
    return made(by.parse(read(text), as));
  }

  public static TemporalAccessor parseBest(
      DateTimeFormatter by, CharSequence text, TemporalQuery<?>[] as) {
    return made(by.parseBest(read(text), as));
  }

  public static TemporalAccessor parseUnresolved(
      DateTimeFormatter by, CharSequence text, ParsePosition at) {
    return made(by.parseUnresolved(read(text), at));
  }

  public static Date parse(DateFormat by, String text) throws ParseException {
    return made(by.parse(read(text)));
  }

  public static @Nullable Date parse(DateFormat by, String text, ParsePosition at) {
    return made(by.parse(read(text), at));
  }

  public static Number parse(NumberFormat by, String text) throws ParseException {
    return made(by.parse(read(text)));
  }

  public static @Nullable Number parse(NumberFormat by, String text, ParsePosition at) {
    return made(by.parse(read(text), at));
  }

  public static Object parseObject(Format by, String text) throws ParseException {
    return made(by.parseObject(read(text)));
  }

  public static @Nullable Object parseObject(Format by, String text, ParsePosition at) {
    return made(by.parseObject(read(text), at));
  }

  /// Of who names none: the JDK's own for formats.
  private static Locale usual() {
    return Locale.getDefault(Locale.Category.FORMAT);
  }

  public static DateTimeFormatter DateTimeFormatter_ofPattern(String text) {
    return made(DateTimeFormatter.ofPattern(pattern(text), usual()));
  }

  public static DateTimeFormatter DateTimeFormatter_ofPattern(String text, Locale locale) {
    return made(DateTimeFormatter.ofPattern(pattern(text), locale));
  }

  public static DateTimeFormatterBuilder appendPattern(DateTimeFormatterBuilder to, String text) {
    return to.appendPattern(pattern(text));
  }

  public static SimpleDateFormat SimpleDateFormat_new(String text) {
    return made(new SimpleDateFormat(pattern(text), usual()));
  }

  public static SimpleDateFormat SimpleDateFormat_new(String text, Locale locale) {
    return made(new SimpleDateFormat(pattern(text), locale));
  }

  public static void applyPattern(SimpleDateFormat to, String text) {
    to.applyPattern(pattern(text));
  }

  public static void applyLocalizedPattern(SimpleDateFormat to, String text) {
    to.applyLocalizedPattern(pattern(text));
  }

  public static DecimalFormat DecimalFormat_new(String text) {
    return made(new DecimalFormat(pattern(text), DecimalFormatSymbols.getInstance(usual())));
  }

  public static DecimalFormat DecimalFormat_new(String text, DecimalFormatSymbols symbols) {
    return made(new DecimalFormat(pattern(text), symbols));
  }

  public static void applyPattern(DecimalFormat to, String text) {
    to.applyPattern(pattern(text));
  }

  public static void applyLocalizedPattern(DecimalFormat to, String text) {
    to.applyLocalizedPattern(pattern(text));
  }

  public static List<?> Locale$LanguageRange_parse(String text) {
    return made(Locale.LanguageRange.parse(languages(text)));
  }

  public static List<?> Locale$LanguageRange_parse(String text, Map<String, List<String>> others) {
    return made(Locale.LanguageRange.parse(languages(text), others));
  }

  /// Each of the languages is compared with all before it.
  private static String languages(String text) {
    long length = text.length();
    VisitBounds.count(length * (1 + length / LANGUAGE));
    return pattern(text);
  }
}
