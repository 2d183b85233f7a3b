package dev.holdfast.document.column;

import dev.holdfast.document.analysis.AsciiTokens;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.document.column.ObjectTupleCursor;
import org.apache.lucene.document.column.TokenStreamColumn;
import org.apache.lucene.index.IndexableFieldType;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;

/// Text values as token streams: ASCII text of the standard analyser by the fast tokenizer, all
/// else by the field's analyser. Further values of a row begin after a gap of positions, so the
/// writer's own analyser must have a gap of 0 (Lucene's default).
public final class TextColumn extends TokenStreamColumn {
  private final BytesRows texts;
  private final Analyzer analyzer;
  private final boolean isStandard;
  private final int gap;

  /// @param isStandard whether `analyzer` is the standard one, which ASCII text may bypass
  /// @param gap positions between values of one row
  public TextColumn(
      String field,
      IndexableFieldType type,
      BytesRows texts,
      int rows,
      Analyzer analyzer,
      boolean isStandard,
      int gap) {
    super(field, type, texts.isDense(rows) ? Density.DENSE : Density.SPARSE);
    this.texts = texts;
    this.analyzer = analyzer;
    this.isStandard = isStandard;
    this.gap = gap;
  }

  @Override
  public ObjectTupleCursor<TokenStream> tuples() {
    return new ObjectTupleCursor<>() {
      private final AsciiTokens ascii = new AsciiTokens();
      private final AsciiTokens furtherAscii = new AsciiTokens();
      private final TokenStream afterGap = new GapFilter(furtherAscii, gap, false);
      private final BytesRef view = new BytesRef();
      private int index = -1;

      @Override
      public int nextDoc() {
        return ++index < texts.count() ? texts.row(index) : DocIdSetIterator.NO_MORE_DOCS;
      }

      @Override
      public TokenStream value() {
        texts.get(index, view);
        boolean isFurther = gap > 0 && index > 0 && texts.row(index) == texts.row(index - 1);
        if (isStandard && texts.mark(index)) {
          AsciiTokens tokens = isFurther ? furtherAscii : ascii;
          tokens.reset(view.bytes, view.offset, view.length);
          return isFurther ? afterGap : ascii;
        }
        TokenStream tokens =
            new CountedWords(analyzer.tokenStream(name(), view.utf8ToString()), view.length);
        return isFurther ? new GapFilter(tokens, gap, true) : tokens;
      }
    };
  }
}
