package dev.holdfast.document.column;

import java.util.List;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.column.ObjectTupleCursor;
import org.apache.lucene.document.column.VectorColumn;
import org.apache.lucene.search.DocIdSetIterator;

/// Vectors by row as a Lucene column.
///
/// @param <T> `float[]` or `byte[]`
public final class VectorsColumn<T> extends VectorColumn<T> {
  private final LongRows rows;
  private final List<T> vectors;

  /// @param rows the row of each vector, whose number is its place in `vectors`
  public VectorsColumn(String field, FieldType type, LongRows rows, List<T> vectors) {
    super(field, type, Density.SPARSE);
    this.rows = rows;
    this.vectors = vectors;
    rows.arrange();
  }

  @Override
  public ObjectTupleCursor<T> tuples() {
    return new ObjectTupleCursor<>() {
      private int index = -1;

      @Override
      public int nextDoc() {
        return ++index < rows.count() ? rows.row(index) : DocIdSetIterator.NO_MORE_DOCS;
      }

      @Override
      public T value() {
        return vectors.get((int) rows.value(index));
      }
    };
  }
}
