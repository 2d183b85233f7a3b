package dev.holdfast.document.analysis.pattern;

import dev.holdfast.world.text.BoundedText;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.charfilter.BaseCharFilter;
import org.jspecify.annotations.Nullable;

/// The character filter `pattern_replace`: what an expression matches of a text is replaced.
public final class PatternReplacingReader extends BaseCharFilter {
  private static final int BUFFER = 8192;

  private final Pattern pattern;
  private final String replacement;
  private @Nullable Reader replaced;

  public PatternReplacingReader(Pattern pattern, String replacement, Reader in) {
    super(in);
    this.pattern = pattern;
    this.replacement = replacement;
  }

  @Override
  public int read(char[] buffer, int offset, int length) throws IOException {
    Reader whole = replaced;
    if (whole == null) {
      whole = new StringReader(replace(text()));
      replaced = whole;
    }
    return whole.read(buffer, offset, length);
  }

  /// What is put before the first character has no place in the text but its beginning.
  @Override
  protected int correct(int offset) {
    return Math.max(0, super.correct(offset));
  }

  private String text() throws IOException {
    StringBuilder read = new StringBuilder();
    char[] buffer = new char[BUFFER];
    for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
      read.append(buffer, 0, length);
    }
    return read.toString();
  }

  private String replace(String text) {
    BoundedText bounded = new BoundedText(text);
    Matcher matcher = pattern.matcher(bounded);
    StringBuilder out = new StringBuilder(text.length());
    int end = 0;
    int shift = 0;
    while (BoundedText.find(matcher)) {
      int matched = matcher.end() - matcher.start();
      int start = out.length() + matcher.start() - end;
      bounded.replace(matcher, replacement, out);
      end = matcher.end();
      shift = correct(start, matched, out.length() - start, shift);
    }
    return matcher.appendTail(out).toString();
  }

  /// Notes where characters behind a replacement were. Those that a replacement has more than its
  /// match stand for the last of the match.
  ///
  /// @param start of the replacement
  /// @param matched length of the match
  /// @param made length of the replacement
  /// @param shift how far characters before were moved to the front
  /// @return how far those behind are
  private int correct(int start, int matched, int made, int shift) {
    if (made < matched) {
      addOffCorrectMap(start + made, shift + matched - made);
    }
    for (int more = matched; more < made; more++) {
      addOffCorrectMap(start + more, shift - (more - matched) - 1);
    }
    return shift + matched - made;
  }
}
