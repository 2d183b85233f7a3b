package dev.holdfast.query.highlight;

import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.AnalyzerWrapper;
import org.jspecify.annotations.Nullable;

/// An analyser of texts that are analysed once more, until the search ends. Used by one thread; has
/// a chain of its own for each field, since several may be open at once, and nothing to close.
final class PolledAnalyzer extends AnalyzerWrapper {
  private final Analyzer analyzer;

  /// @param analyzer is not closed with it
  PolledAnalyzer(Analyzer analyzer) {
    super(new ByField());
    this.analyzer = analyzer;
  }

  @Override
  protected Analyzer getWrappedAnalyzer(String field) {
    return analyzer;
  }

  @Override
  protected TokenStreamComponents wrapComponents(String field, TokenStreamComponents components) {
    return new TokenStreamComponents(
        components.getSource(), new PolledTokens(components.getTokenStream()));
  }

  /// Chains that go with the analyser: Lucene's own are kept by thread until it is closed.
  private static final class ByField extends ReuseStrategy {
    private final Map<String, TokenStreamComponents> chains = new HashMap<>();

    @Override
    public @Nullable TokenStreamComponents getReusableComponents(Analyzer polled, String field) {
      return chains.get(field);
    }

    @Override
    public void setReusableComponents(Analyzer polled, String field, TokenStreamComponents chain) {
      chains.put(field, chain);
    }
  }
}
