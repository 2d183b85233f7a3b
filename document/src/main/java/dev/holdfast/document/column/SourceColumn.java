package dev.holdfast.document.column;

import java.util.Arrays;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.column.BinaryColumn;
import org.apache.lucene.document.column.ObjectTupleCursor;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BytesRef;

/// The documents as received, stored: views onto the bytes of the request, one a row, never copied
/// here.
public final class SourceColumn {
  private static final FieldType STORED = new FieldType();

  static {
    STORED.setStored(true);
    STORED.freeze();
  }

  private static final byte[] NONE = {};

  private byte[][] bodies = new byte[64][];
  private int[] offsets = new int[64];
  private int[] lengths = new int[64];

  /// Sets the document of a row.
  public void set(int row, byte[] body, int offset, int length) {
    if (row >= bodies.length) {
      bodies = Arrays.copyOf(bodies, 2 * row);
      offsets = Arrays.copyOf(offsets, 2 * row);
      lengths = Arrays.copyOf(lengths, 2 * row);
    }
    bodies[row] = body;
    offsets[row] = offset;
    lengths[row] = length;
  }

  /// The row has no document.
  public void skip(int row) {
    set(row, NONE, 0, 0);
  }

  /// Lets go of the requests' bytes.
  public void clear() {
    Arrays.fill(bodies, null);
  }

  /// Rows `[0, rows)` as a column.
  public BinaryColumn column(String field, int rows) {
    return new BinaryColumn(field, STORED, BinaryColumn.Density.SPARSE) {
      @Override
      public ObjectTupleCursor<BytesRef> tuples() {
        return cursor(rows);
      }
    };
  }

  private ObjectTupleCursor<BytesRef> cursor(int rows) {
    return new ObjectTupleCursor<>() {
      private final BytesRef view = new BytesRef();
      private int row = -1;

      @Override
      public int nextDoc() {
        do {
          row++;
        } while (row < rows && lengths[row] == 0);
        return row < rows ? row : DocIdSetIterator.NO_MORE_DOCS;
      }

      @Override
      public BytesRef value() {
        view.bytes = bodies[row];
        view.offset = offsets[row];
        view.length = lengths[row];
        return view;
      }
    };
  }
}
