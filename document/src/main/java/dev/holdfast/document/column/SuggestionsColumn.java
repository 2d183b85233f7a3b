package dev.holdfast.document.column;

import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.document.column.ObjectTupleCursor;
import org.apache.lucene.document.column.TokenStreamColumn;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.suggest.document.SuggestField;

/// Suggestions by row as a Lucene column.
public final class SuggestionsColumn extends TokenStreamColumn {
  private final LongRows rows;
  private final List<SuggestField> suggestions;
  private final Analyzer analyzer;

  /// @param rows the row of each suggestion, whose number is its place in `suggestions`
  public SuggestionsColumn(
      String field, LongRows rows, List<SuggestField> suggestions, Analyzer analyzer) {
    super(field, SuggestField.FIELD_TYPE, Density.SPARSE);
    this.rows = rows;
    this.suggestions = suggestions;
    this.analyzer = analyzer;
    rows.arrange();
  }

  @Override
  @SuppressWarnings("NullAway") // Lucene takes null for no stream to use again
  public ObjectTupleCursor<TokenStream> tuples() {
    return new ObjectTupleCursor<>() {
      private int index = -1;

      @Override
      public int nextDoc() {
        return ++index < rows.count() ? rows.row(index) : DocIdSetIterator.NO_MORE_DOCS;
      }

      @Override
      public TokenStream value() {
        return suggestions.get((int) rows.value(index)).tokenStream(analyzer, null);
      }
    };
  }
}
