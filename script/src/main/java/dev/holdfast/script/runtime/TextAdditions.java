package dev.holdfast.script.runtime;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DayOfWeek;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Methods that texts, patterns and dates have in scripts and not in Java. Patterns look at texts
/// through [LimitedText].
public final class TextAdditions {
  /// A part of a text, beside its characters.
  private static final long PART_BYTES = 64;

  /// Parts of a shorter text are not asked for before they are made.
  private static final int COUNTED_MIN = 1024;

  private TextAdditions() {}

  public static String encodeBase64(String text) {
    Budget.charge(2L * text.length());
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  public static String decodeBase64(String text) {
    Budget.charge(text.length());
    return new String(
        Base64.getDecoder().decode(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }

  public static String sha1(String text) {
    return digest("SHA-1", text);
  }

  public static String sha256(String text) {
    return digest("SHA-256", text);
  }

  private static String digest(String algorithm, String text) {
    VisitBounds.count(4L * text.length());
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  public static String[] splitOnToken(String text, String token) {
    return splitOnToken(text, token, -1);
  }

  /// @param limit of parts, the last of which is the rest; 0 or less for none
  public static String[] splitOnToken(String text, String token, int limit) {
    if (token.isEmpty()) {
      throw new IllegalArgumentException("Token may not be empty");
    }
    Budget.charge(2L * text.length() + PART_BYTES);
    List<String> parts = new ArrayList<>();
    int from = 0;
    int at = text.indexOf(token);
    while (at >= 0 && (limit <= 0 || parts.size() < limit - 1)) {
      Budget.charge(PART_BYTES);
      parts.add(text.substring(from, at));
      from = at + token.length();
      at = text.indexOf(token, from);
    }
    parts.add(text.substring(from));
    return parts.toArray(String[]::new);
  }

  public static String replaceAll(
      CharSequence text, Pattern pattern, Function<Matcher, String> replacement) {
    return replaced(text, pattern, replacement, Integer.MAX_VALUE);
  }

  public static String replaceFirst(
      CharSequence text, Pattern pattern, Function<Matcher, String> replacement) {
    return replaced(text, pattern, replacement, 1);
  }

  private static String replaced(
      CharSequence text, Pattern pattern, Function<Matcher, String> replacement, int most) {
    Matcher matcher = pattern.matcher(LimitedText.of(pattern, text));
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < most && matcher.find(); i++) {
      String with = Matcher.quoteReplacement(replacement.apply(matcher));
      Budget.charge(2L * with.length());
      matcher.appendReplacement(result, with);
    }
    Budget.charge(2L * text.length());
    return matcher.appendTail(result).toString();
  }

  public static Matcher matcher(Pattern pattern, CharSequence text) {
    return pattern.matcher(LimitedText.of(pattern, text));
  }

  public static String[] split(Pattern pattern, CharSequence text) {
    return split(pattern, text, 0);
  }

  public static String[] split(Pattern pattern, CharSequence text, int limit) {
    if (text.length() >= COUNTED_MIN) {
      chargeParts(pattern, text, limit);
    }
    return pattern.split(LimitedText.of(pattern, text), limit);
  }

  private static void chargeParts(Pattern pattern, CharSequence text, int limit) {
    Budget.charge(2L * text.length() + PART_BYTES);
    Matcher matcher = matcher(pattern, text);
    for (int parts = 1; (limit <= 0 || parts < limit) && matcher.find(); parts++) {
      Budget.charge(PART_BYTES);
    }
  }

  public static Stream<String> splitAsStream(Pattern pattern, CharSequence text) {
    return pattern
        .splitAsStream(LimitedText.of(pattern, text))
        .peek(part -> Budget.charge(2L * part.length() + PART_BYTES));
  }

  public static Predicate<String> asPredicate(Pattern pattern) {
    return text -> pattern.matcher(LimitedText.of(pattern, text)).find();
  }

  public static String namedGroup(Matcher matcher, String name) {
    return matcher.group(name);
  }

  public static DayOfWeek getDayOfWeekEnum(ZonedDateTime date) {
    return date.getDayOfWeek();
  }
}
