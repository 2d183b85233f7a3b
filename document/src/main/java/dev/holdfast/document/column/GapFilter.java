package dev.holdfast.document.column;

import java.io.IOException;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/// Moves the first token away from the value before it, so that phrases don't span two values.
final class GapFilter extends TokenFilter {
  private final PositionIncrementAttribute increment =
      addAttribute(PositionIncrementAttribute.class);
  private final int gap;
  private boolean isFirst = true;

  GapFilter(TokenStream tokens, int gap) {
    super(tokens);
    this.gap = gap;
  }

  @Override
  public boolean incrementToken() throws IOException {
    if (!input.incrementToken()) {
      return false;
    }
    if (isFirst) {
      increment.setPositionIncrement(increment.getPositionIncrement() + gap);
      isFirst = false;
    }
    return true;
  }
}
