package dev.holdfast.document.analysis;

import java.io.IOException;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.KeywordAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/// Removes stop words, except one that ends the text with nothing after it: the prefix of a word
/// that is still being typed.
final class TrailingStopFilter extends TokenFilter {
  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final KeywordAttribute keyword = addAttribute(KeywordAttribute.class);
  private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);
  private final PositionIncrementAttribute increment =
      addAttribute(PositionIncrementAttribute.class);
  private final CharArraySet words;
  private boolean isEnded;
  private int endOffset;

  TrailingStopFilter(TokenStream tokens, CharArraySet words) {
    super(tokens);
    this.words = words;
  }

  @Override
  public boolean incrementToken() throws IOException {
    if (isEnded) {
      return false;
    }
    int skipped = 0;
    boolean hasToken = input.incrementToken();
    while (hasToken && !keyword.isKeyword() && words.contains(term.buffer(), 0, term.length())) {
      State stopWord = captureState();
      int stopWordEnd = offset.endOffset();
      int stopWordIncrement = increment.getPositionIncrement();
      hasToken = input.incrementToken();
      if (!hasToken) {
        input.end();
        isEnded = true;
        endOffset = offset.endOffset();
        if (endOffset > stopWordEnd) {
          return false;
        }
        restoreState(stopWord);
        increment.setPositionIncrement(stopWordIncrement + skipped);
        return true;
      }
      skipped += stopWordIncrement;
    }
    increment.setPositionIncrement(increment.getPositionIncrement() + skipped);
    return hasToken;
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    isEnded = false;
  }

  @Override
  public void end() throws IOException {
    if (!isEnded) {
      super.end();
      return;
    }
    clearAttributes();
    increment.setPositionIncrement(0);
    offset.setOffset(endOffset, endOffset);
  }
}
