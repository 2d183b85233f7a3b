package dev.holdfast.document.analysis.pattern;

import dev.holdfast.world.text.BoundedText;
import java.io.IOException;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/// `pattern_replace`: what an expression matches of a token is replaced.
public final class PatternReplacing extends TokenFilter {
  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final BoundedText.Looks looks = new BoundedText.Looks();
  private final Pattern pattern;
  private final String replacement;
  private final boolean isAll;

  /// @param isAll whether every match is replaced, or the first
  public PatternReplacing(TokenStream input, Pattern pattern, String replacement, boolean isAll) {
    super(input);
    this.pattern = pattern;
    this.replacement = replacement;
    this.isAll = isAll;
  }

  @Override
  public boolean incrementToken() throws IOException {
    if (!input.incrementToken()) {
      return false;
    }
    String before = term.toString();
    String after = new BoundedText(before, looks).replaced(pattern, replacement, isAll);
    if (!after.equals(before)) {
      term.setEmpty().append(after);
    }
    return true;
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    looks.reset();
  }
}
