package dev.holdfast.document.column;

import java.io.IOException;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.TermFrequencyAttribute;
import org.apache.lucene.document.column.ObjectTupleCursor;
import org.apache.lucene.document.column.TokenStreamColumn;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;

/// Terms whose frequency is a number: the upper bits of a float, as Lucene's `FeatureField`.
public final class FeatureColumn extends TokenStreamColumn {
  private final BytesRows names;
  private final LongRows values;

  /// @param names of features, by row
  /// @param values their floats' bits, one for each name, in the same order
  public FeatureColumn(String field, BytesRows names, LongRows values) {
    super(field, ColumnTypes.features(), Density.SPARSE);
    this.names = names;
    this.values = values;
    names.arrange();
    values.arrange();
  }

  @Override
  public ObjectTupleCursor<TokenStream> tuples() {
    return new ObjectTupleCursor<>() {
      private final Feature feature = new Feature();
      private final BytesRef view = new BytesRef();
      private int index = -1;

      @Override
      public int nextDoc() {
        return ++index < names.count() ? names.row(index) : DocIdSetIterator.NO_MORE_DOCS;
      }

      @Override
      public TokenStream value() {
        names.get(index, view);
        feature.set(view.utf8ToString(), (int) values.value(index));
        return feature;
      }
    };
  }

  private static final class Feature extends TokenStream {
    private static final int DROPPED_BITS = 15;

    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final TermFrequencyAttribute frequency = addAttribute(TermFrequencyAttribute.class);
    private String name = "";
    private int bits;
    private boolean isRead;

    void set(String newName, int newBits) {
      name = newName;
      bits = newBits;
      isRead = false;
    }

    @Override
    public void reset() throws IOException {
      super.reset();
      isRead = false;
    }

    @Override
    public boolean incrementToken() {
      if (isRead) {
        return false;
      }
      clearAttributes();
      term.append(name);
      frequency.setTermFrequency(bits >>> DROPPED_BITS);
      isRead = true;
      return true;
    }
  }
}
