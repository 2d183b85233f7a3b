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
  private final boolean setsIncrements;
  private boolean isFirst = true;

  /// @param setsIncrements whether `tokens` sets the increment of each token itself; else it is 1
  GapFilter(TokenStream tokens, int gap, boolean setsIncrements) {
    super(tokens);
    this.gap = gap;
    this.setsIncrements = setsIncrements;
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    isFirst = true;
  }

  @Override
  public boolean incrementToken() throws IOException {
    if (!input.incrementToken()) {
      return false;
    }
    if (!setsIncrements) {
      increment.setPositionIncrement(1);
    }
    if (isFirst) {
      increment.setPositionIncrement(increment.getPositionIncrement() + gap);
      isFirst = false;
    }
    return true;
  }
}
