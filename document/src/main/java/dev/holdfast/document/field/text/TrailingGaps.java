package dev.holdfast.document.field.text;

import java.io.IOException;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/// Says that some positions without tokens follow the last, so that shingles begin there too.
final class TrailingGaps extends TokenFilter {
  private final PositionIncrementAttribute increment =
      addAttribute(PositionIncrementAttribute.class);
  private final int gaps;

  TrailingGaps(TokenStream tokens, int gaps) {
    super(tokens);
    this.gaps = gaps;
  }

  @Override
  public boolean incrementToken() throws IOException {
    return input.incrementToken();
  }

  @Override
  public void end() throws IOException {
    super.end();
    increment.setPositionIncrement(increment.getPositionIncrement() + gaps);
  }
}
