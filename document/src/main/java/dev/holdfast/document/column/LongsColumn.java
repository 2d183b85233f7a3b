package dev.holdfast.document.column;

import org.apache.lucene.document.column.LongColumn;
import org.apache.lucene.document.column.LongTupleCursor;
import org.apache.lucene.document.column.LongValuesCursor;
import org.apache.lucene.index.IndexableFieldType;
import org.apache.lucene.search.DocIdSetIterator;

/// [LongRows] as a Lucene column: doc values and one-dimensional points.
public final class LongsColumn extends LongColumn {
  private final LongRows longs;
  private final int rows;

  /// @param rows of the whole batch
  public LongsColumn(
      String field, IndexableFieldType type, NumericKind kind, LongRows longs, int rows) {
    super(field, type, longs.isDense(rows) ? Density.DENSE : Density.SPARSE, kind);
    this.longs = longs;
    this.rows = rows;
  }

  @Override
  public LongTupleCursor tuples() {
    return new LongTupleCursor() {
      private int index = -1;

      @Override
      public int nextDoc() {
        return ++index < longs.count() ? longs.row(index) : DocIdSetIterator.NO_MORE_DOCS;
      }

      @Override
      public long longValue() {
        return longs.value(index);
      }
    };
  }

  @Override
  public LongValuesCursor values() {
    return new LongValuesCursor(rows) {
      private int index;

      @Override
      public long nextLong() {
        return longs.value(index++);
      }

      @Override
      public void fillDocValues(long[] to, int offset, int length) {
        System.arraycopy(longs.values(), index, to, offset, length);
        index += length;
      }
    };
  }
}
