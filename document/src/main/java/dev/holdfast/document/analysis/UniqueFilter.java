package dev.holdfast.document.analysis;

import java.io.IOException;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.FilteringTokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/// Lets each term through once a field.
final class UniqueFilter extends FilteringTokenFilter {
  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final CharArraySet seen = new CharArraySet(8, false);

  UniqueFilter(TokenStream tokens) {
    super(tokens);
  }

  @Override
  protected boolean accept() {
    return seen.add(term.toString());
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    seen.clear();
  }
}
