package dev.holdfast.script.runtime;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Texts of scripts: joined within bounds, searched with a bound on the characters looked at.
public final class Text {
  private Text() {}

  public static String of(@Nullable Object value) {
    if (value instanceof String text) {
      return text;
    }
    String text = String.valueOf(Contents.bounded(value));
    Budget.charge(2L * text.length());
    return text;
  }

  public static String concat(String a, String b) {
    Budget.charge(2L * (a.length() + (long) b.length()) + 40);
    return a.concat(b);
  }

  public static boolean find(@Nullable Object text, Pattern pattern) {
    return pattern.matcher(LimitedText.of(pattern, (CharSequence) present(text))).find();
  }

  public static boolean matches(@Nullable Object text, Pattern pattern) {
    return pattern.matcher(LimitedText.of(pattern, (CharSequence) present(text))).matches();
  }

  private static Object present(@Nullable Object text) {
    if (text == null) {
      throw new NullPointerException("cannot match a null reference");
    }
    return text;
  }
}
