package dev.holdfast.document.analysis.pattern;

import dev.holdfast.world.text.BoundedText;
import java.io.IOException;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.jspecify.annotations.Nullable;

/// The tokenizer `pattern`: tokens are what lies between the matches of an expression, or one of
/// its groups.
public final class PatternTokens extends Tokenizer {
  /// The group that stands for what lies between matches.
  public static final int BETWEEN = -1;

  private static final int BUFFER = 8192;

  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final OffsetAttribute offsets = addAttribute(OffsetAttribute.class);
  private final Pattern pattern;
  private final int group;
  private String text = "";
  private @Nullable Matcher matches;
  private int next;

  /// @param group of the expression, or [#BETWEEN]
  /// @throws IllegalArgumentException when the expression has no such group
  public PatternTokens(Pattern pattern, int group) {
    this.pattern = pattern;
    this.group = group;
    int groups = pattern.matcher("").groupCount();
    if (group > groups) {
      throw new IllegalArgumentException(
          "invalid group specified: pattern only has: " + groups + " capturing groups");
    }
  }

  @Override
  public boolean incrementToken() {
    clearAttributes();
    return group >= 0 ? ofGroup() : between();
  }

  private boolean ofGroup() {
    Matcher each = Objects.requireNonNull(matches);
    while (BoundedText.find(each)) {
      if (each.start(group) < each.end(group)) {
        return token(each.start(group), each.end(group));
      }
    }
    return false;
  }

  private boolean between() {
    Matcher each = Objects.requireNonNull(matches);
    while (next <= text.length()) {
      int start = next;
      boolean isLast = !BoundedText.find(each);
      int end = isLast ? text.length() : each.start();
      next = isLast ? text.length() + 1 : each.end();
      if (start < end) {
        return token(start, end);
      }
    }
    return false;
  }

  private boolean token(int start, int end) {
    term.append(text, start, end);
    offsets.setOffset(correctOffset(start), correctOffset(end));
    return true;
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    StringBuilder read = new StringBuilder();
    char[] buffer = new char[BUFFER];
    for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
      read.append(buffer, 0, length);
    }
    text = read.toString();
    matches = pattern.matcher(new BoundedText(text));
    next = 0;
  }

  @Override
  public void end() throws IOException {
    super.end();
    int end = correctOffset(text.length());
    offsets.setOffset(end, end);
  }

  @Override
  public void close() throws IOException {
    super.close();
    text = "";
    matches = null;
  }
}
