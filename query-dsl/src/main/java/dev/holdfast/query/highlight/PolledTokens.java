package dev.holdfast.query.highlight;

import dev.holdfast.world.StopSignal;
import java.io.IOException;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;

/// The tokens of a text that is analysed once more, until the search ends.
final class PolledTokens extends TokenFilter {
  PolledTokens(TokenStream in) {
    super(in);
  }

  @Override
  public boolean incrementToken() throws IOException {
    StopSignal.poll();
    return input.incrementToken();
  }
}
