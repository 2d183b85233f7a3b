package dev.holdfast.document.field.text;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.AnalyzerWrapper;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;
import org.apache.lucene.analysis.shingle.FixedShingleFilter;

/// An analyser whose tokens are joined to shingles of one size, maybe cut to their beginnings.
final class Shingled extends AnalyzerWrapper {
  static final int PREFIX_MAX = 20;

  private final Analyzer words;
  private final int size;
  private final boolean cuts;

  private Shingled(Analyzer words, int size, boolean cuts) {
    super(words.getReuseStrategy());
    this.words = words;
    this.size = size;
    this.cuts = cuts;
  }

  static Analyzer of(Analyzer words, int size) {
    return new Shingled(words, size, false);
  }

  /// Beginnings of shingles, those at the end of the text that are shorter too.
  static Analyzer prefixes(Analyzer words, int size) {
    return new Shingled(words, size, true);
  }

  @Override
  protected Analyzer getWrappedAnalyzer(String field) {
    return words;
  }

  @Override
  protected TokenStreamComponents wrapComponents(String field, TokenStreamComponents inner) {
    var stream = inner.getTokenStream();
    return cuts
        ? new TokenStreamComponents(
            inner.getSource(),
            new EdgeNGramTokenFilter(
                new FixedShingleFilter(new TrailingGaps(stream, size - 1), size),
                1,
                PREFIX_MAX,
                true))
        : new TokenStreamComponents(inner.getSource(), new FixedShingleFilter(stream, size));
  }
}
