package dev.holdfast.query.highlight;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.AnalyzerWrapper;

/// An analyser of a text that is analysed once more, until the search ends. Closed after each text.
final class PolledAnalyzer extends AnalyzerWrapper {
  private final Analyzer analyzer;

  /// @param analyzer is not closed with it
  PolledAnalyzer(Analyzer analyzer) {
    super(PER_FIELD_REUSE_STRATEGY);
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
}
