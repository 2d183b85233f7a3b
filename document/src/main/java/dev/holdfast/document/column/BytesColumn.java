package dev.holdfast.document.column;

import org.apache.lucene.document.column.BinaryColumn;
import org.apache.lucene.document.column.BytesRefValuesCursor;
import org.apache.lucene.document.column.ObjectTupleCursor;
import org.apache.lucene.index.IndexableFieldType;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;

/// [BytesRows] as a Lucene column: terms, doc values, points and stored values.
public final class BytesColumn extends BinaryColumn {
  private final BytesRows values;
  private final int rows;

  /// @param rows of the whole batch
  public BytesColumn(String field, IndexableFieldType type, BytesRows values, int rows) {
    super(field, type, values.isDense(rows) ? Density.DENSE : Density.SPARSE);
    this.values = values;
    this.rows = rows;
  }

  @Override
  public ObjectTupleCursor<BytesRef> tuples() {
    return new ObjectTupleCursor<>() {
      private final BytesRef view = new BytesRef();
      private int index = -1;

      @Override
      public int nextDoc() {
        return ++index < values.count() ? values.row(index) : DocIdSetIterator.NO_MORE_DOCS;
      }

      @Override
      public BytesRef value() {
        values.get(index, view);
        return view;
      }
    };
  }

  @Override
  public BytesRefValuesCursor values() {
    return new BytesRefValuesCursor(rows) {
      private final BytesRef view = new BytesRef();
      private int index;

      @Override
      public BytesRef nextValue() {
        values.get(index++, view);
        return view;
      }
    };
  }
}
