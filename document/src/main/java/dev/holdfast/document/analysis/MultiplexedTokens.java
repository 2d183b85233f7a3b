package dev.holdfast.document.analysis;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.util.AttributeSource;

/// What several chains of filters make of each token, at the token's position.
final class MultiplexedTokens extends TokenFilter {
  private final PositionIncrementAttribute increment =
      addAttribute(PositionIncrementAttribute.class);
  private final Single single;
  private final List<TokenStream> chains = new ArrayList<>();
  private final Deque<AttributeSource.State> ready = new ArrayDeque<>();
  private int step;

  MultiplexedTokens(TokenStream tokens, List<UnaryOperator<TokenStream>> filters) {
    super(tokens);
    single = new Single(tokens);
    filters.forEach(filter -> chains.add(filter.apply(single)));
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    ready.clear();
    step = 0;
  }

  @Override
  public boolean incrementToken() throws IOException {
    boolean isFirst = ready.isEmpty();
    while (ready.isEmpty()) {
      if (!input.incrementToken()) {
        return false;
      }
      step += increment.getPositionIncrement();
      AttributeSource.State token = captureState();
      for (TokenStream chain : chains) {
        chain.reset();
        restoreState(token);
        single.isThere = true;
        while (chain.incrementToken()) {
          ready.add(captureState());
        }
      }
    }
    restoreState(ready.remove());
    increment.setPositionIncrement(isFirst ? step : 0);
    if (isFirst) {
      step = 0;
    }
    return true;
  }

  /// The token at hand, as a stream of its own.
  private static final class Single extends TokenFilter {
    private boolean isThere;

    Single(TokenStream tokens) {
      super(tokens);
    }

    @Override
    public boolean incrementToken() {
      boolean was = isThere;
      isThere = false;
      return was;
    }

    // The tokens behind it are reset by the filter that feeds it.
    @Override
    public void reset() {
      isThere = false;
    }
  }
}
