package dev.holdfast.script.runtime;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.StopSignal;
import java.util.regex.Pattern;

/// A text that counts how often a regular expression looks at its characters: an expression that
/// goes back and forth without end is stopped.
final class LimitedText implements CharSequence {
  /// Characters after which they count among what the script goes through. A power of two.
  private static final int COUNT_EVERY = 1024;

  private final Pattern pattern;
  private final CharSequence text;
  private final int[] count;
  private final int limit;

  private LimitedText(Pattern pattern, CharSequence text, int[] count, int limit) {
    this.pattern = pattern;
    this.text = text;
    this.count = count;
    this.limit = limit;
  }

  static CharSequence of(Pattern pattern, CharSequence text) {
    int factor = RegexRule.current().factor();
    return text instanceof LimitedText || factor == RegexRule.UNLIMITED
        ? text
        : new LimitedText(
            pattern,
            text,
            new int[1],
            (int) Math.min(Integer.MAX_VALUE, (long) text.length() * factor));
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public char charAt(int index) {
    if (++count[0] > limit) {
      throw new ScriptLimitError(
          ErrorType.CIRCUIT_BREAKING,
          "[scripting] Regular expression considered too many characters, pattern: ["
              + pattern
              + "], limit factor: ["
              + RegexRule.current().factor()
              + "], char limit: ["
              + limit
              + "], count: ["
              + count[0]
              + "], wrapped: ["
              + text.subSequence(0, Math.min(64, text.length()))
              + "], this limit can be changed by changed by the"
              + " [script.painless.regex.limit-factor] setting");
    }
    if ((count[0] & (COUNT_EVERY - 1)) == 0) {
      Budget.visit(COUNT_EVERY);
    }
    StopSignal.poll();
    return text.charAt(index);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return new LimitedText(pattern, text.subSequence(start, end), count, limit);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
