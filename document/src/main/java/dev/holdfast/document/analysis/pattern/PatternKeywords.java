package dev.holdfast.document.analysis.pattern;

import dev.holdfast.world.text.BoundedText;
import java.io.IOException;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.miscellaneous.KeywordMarkerFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/// `keyword_marker` with `keywords_pattern`: tokens that an expression matches are not stemmed.
public final class PatternKeywords extends KeywordMarkerFilter {
  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final BoundedText.Looks looks = new BoundedText.Looks();
  private final Pattern pattern;

  public PatternKeywords(TokenStream input, Pattern pattern) {
    super(input);
    this.pattern = pattern;
  }

  @Override
  protected boolean isKeyword() {
    return new BoundedText(term.toString(), looks).matches(pattern);
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    looks.reset();
  }
}
