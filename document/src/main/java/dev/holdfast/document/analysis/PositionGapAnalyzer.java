package dev.holdfast.document.analysis;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.DelegatingAnalyzerWrapper;

/// A Lucene analyser with the gap of positions between the values of one field that Elasticsearch
/// puts there.
final class PositionGapAnalyzer extends DelegatingAnalyzerWrapper {
  /// So that phrases do not match across values.
  static final int POSITION_INCREMENT_GAP = 100;

  private final Analyzer analyzer;

  PositionGapAnalyzer(Analyzer analyzer) {
    super(PER_FIELD_REUSE_STRATEGY);
    this.analyzer = analyzer;
  }

  @Override
  protected Analyzer getWrappedAnalyzer(String field) {
    return analyzer;
  }

  @Override
  public int getPositionIncrementGap(String field) {
    return POSITION_INCREMENT_GAP;
  }

  Analyzer analyzer() {
    return analyzer;
  }
}
