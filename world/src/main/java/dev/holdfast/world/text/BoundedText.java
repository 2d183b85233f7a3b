package dev.holdfast.world.text;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A text that a regular expression of a user may look at so many times only: what backtracks
/// without end is refused, and so is a replacement that makes a text of any length. Nothing else
/// stops a match, and a thread that it keeps for itself is one that others wait for.
public final class BoundedText implements CharSequence {
  private static final long LOOKS_MIN = 20_000_000;
  private static final long LOOKS_PER_CHARACTER = 100;
  private static final int ADDED_MAX = 8 << 20;
  private static final int SHOWN_MAX = 100;

  /// Texts of which each character may be a part without harm.
  private static final int COUNTED_MIN = 1024;

  private final CharSequence text;
  private final Looks looks;

  /// How often the characters of texts that belong together are looked at: each text may be looked
  /// at as often as it is long a hundred times, and all of them twenty million times more.
  public static final class Looks {
    private long left = LOOKS_MIN;

    /// Begins anew.
    public void reset() {
      left = LOOKS_MIN;
    }
  }

  /// A text by itself.
  public BoundedText(CharSequence text) {
    this(text, new Looks());
  }

  /// One of texts that belong together.
  public BoundedText(CharSequence text, Looks looks) {
    this.text = text;
    this.looks = looks;
    looks.left += LOOKS_PER_CHARACTER * text.length();
  }

  /// The text with matches of a pattern replaced.
  ///
  /// @param replacement with `$1` for groups
  /// @throws Refusal `illegal_argument_exception` (400) when matching takes too long or goes too
  ///   deep, or the text becomes too long
  public String replaced(Pattern pattern, String replacement, boolean isAll) {
    return RegularExpressions.matching(
        pattern, () -> replaced(pattern.matcher(this), replacement, isAll));
  }

  private String replaced(Matcher matcher, String replacement, boolean isAll) {
    if (!matcher.find()) {
      return toString();
    }
    StringBuilder out = new StringBuilder(text.length());
    do {
      replace(matcher, replacement, out);
    } while (isAll && matcher.find());
    return matcher.appendTail(out).toString();
  }

  /// Whether all of the text matches.
  ///
  /// @throws Refusal as above
  public boolean matches(Pattern pattern) {
    return RegularExpressions.matching(pattern, () -> pattern.matcher(this).matches());
  }

  /// The parts between matches, as [Pattern#split(CharSequence, int)].
  ///
  /// @throws Refusal as above
  public String[] split(Pattern separator, int limit) {
    return RegularExpressions.matching(separator, () -> separator.split(this, limit));
  }

  /// How many parts it is split into, at most: those of a short text are not counted.
  ///
  /// @throws Refusal as above
  public long parts(Pattern separator) {
    if (length() < COUNTED_MIN) {
      return length() + 1L;
    }
    long parts = 1;
    for (Matcher matcher = separator.matcher(this); find(matcher); ) {
      parts++;
    }
    return parts;
  }

  /// Finds the next match.
  ///
  /// @param matcher over such a text
  /// @throws Refusal as above
  public static boolean find(Matcher matcher) {
    return RegularExpressions.matching(matcher.pattern(), matcher::find);
  }

  /// Appends what lies before a match of this text, and the replacement.
  ///
  /// @throws Refusal `illegal_argument_exception` (400) when it is too long for this text, or the
  ///   replacement names a group that there is not
  public void replace(Matcher matcher, String replacement, StringBuilder made) {
    try {
      matcher.appendReplacement(made, replacement);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new Refusal(
          ErrorType.ILLEGAL_ARGUMENT,
          "[replacement] [" + shown(replacement) + "] does not fit the pattern: " + e.getMessage(),
          e);
    }
    requireBounded(made);
  }

  private static String shown(String replacement) {
    return replacement.length() <= SHOWN_MAX
        ? replacement
        : replacement.substring(0, SHOWN_MAX) + "…";
  }

  /// @param made of the text so far
  /// @throws Refusal `illegal_argument_exception` (400) when it is too long for this text
  public void requireBounded(CharSequence made) {
    if ((long) made.length() - text.length() > ADDED_MAX) {
      throw Refusal.badArgument(
          "replacing with a regular expression was interrupted: the text becomes more than ["
              + ADDED_MAX
              + "] characters longer");
    }
  }

  @Override
  public char charAt(int index) {
    if (--looks.left < 0) {
      throw Refusal.badArgument("matching a regular expression was interrupted: it takes too long");
    }
    return text.charAt(index);
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.subSequence(start, end);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
