package dev.holdfast.document.batch;

import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.column.ColumnTypes;
import dev.holdfast.document.column.LongRows;
import dev.holdfast.document.column.LongsColumn;
import dev.holdfast.world.Promise;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.column.Column;
import org.apache.lucene.document.column.LongColumn.NumericKind;

/// Sequence number, primary term and version of each row.
final class VersionColumns {
  private static final FieldType NUMBER = ColumnTypes.number();

  private static final long NESTED = -2;

  private long[] seqNos = new long[64];
  private long[] terms = new long[64];
  private long[] versions = new long[64];
  private final LongRows seqNoRows = new LongRows();
  private final LongRows termRows = new LongRows();
  private final LongRows versionRows = new LongRows();

  /// The row is not identified yet.
  void forget(int row) {
    if (row >= seqNos.length) {
      seqNos = Arrays.copyOf(seqNos, 2 * row);
      terms = Arrays.copyOf(terms, 2 * row);
      versions = Arrays.copyOf(versions, 2 * row);
    }
    seqNos[row] = -1;
  }

  /// The row is a nested object, which has no history.
  void skip(int row) {
    forget(row);
    seqNos[row] = NESTED;
  }

  void set(int row, long seqNo, long primaryTerm, long version) {
    seqNos[row] = seqNo;
    terms[row] = primaryTerm;
    versions[row] = version;
  }

  void finish(int rows, Consumer<Column> columns) {
    columns.accept(column(MetadataFields.SEQ_NO, seqNos, seqNoRows, rows));
    columns.accept(column(MetadataFields.PRIMARY_TERM, terms, termRows, rows));
    columns.accept(column(MetadataFields.VERSION, versions, versionRows, rows));
  }

  private Column column(String field, long[] values, LongRows longs, int rows) {
    longs.clear();
    for (int row = 0; row < rows; row++) {
      if (seqNos[row] != NESTED) {
        Promise.keep(seqNos[row] >= 0, "each row is identified");
        longs.add(row, values[row]);
      }
    }
    return new LongsColumn(field, NUMBER, NumericKind.LONG, longs, rows);
  }
}
