package dev.holdfast.codec.docvalues;

import java.io.IOException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/// Where a numeric column lies in the data file.
///
/// @param fieldNumber the field's number in the segment
/// @param docsOffset where the set of documents with a value is; [#ALL] or [#NONE] when there is no
///   need of one
/// @param docsLength its bytes
/// @param jumpEntries as `IndexedDISI` wants it
/// @param values how many values there are
/// @param divisor the greatest common divisor of the differences, at least 1
/// @param blocksOffset where the blocks' bytes begin
/// @param tableOffset where the block table begins: the blocks' bytes end there
record NumericColumn(
    int fieldNumber,
    long docsOffset,
    long docsLength,
    short jumpEntries,
    int values,
    long divisor,
    long blocksOffset,
    long tableOffset) {
  /// Every document has a value.
  static final long ALL = -1;

  /// No document has a value.
  static final long NONE = -2;

  static NumericColumn read(DataInput in, int fieldNumber) throws IOException {
    NumericColumn column =
        new NumericColumn(
            fieldNumber,
            in.readLong(),
            in.readLong(),
            in.readShort(),
            in.readInt(),
            in.readLong(),
            in.readLong(),
            in.readLong());
    if (column.values < 0 || column.divisor < 1 || column.tableOffset < column.blocksOffset) {
      throw new CorruptIndexException("damaged numeric column " + column, in);
    }
    return column;
  }

  /// Without the field's number.
  void write(DataOutput out) throws IOException {
    out.writeLong(docsOffset);
    out.writeLong(docsLength);
    out.writeShort(jumpEntries);
    out.writeInt(values);
    out.writeLong(divisor);
    out.writeLong(blocksOffset);
    out.writeLong(tableOffset);
  }

  int blocks() {
    return (values + HoldfastDocValuesFormat.BLOCK_SIZE - 1)
        >>> HoldfastDocValuesFormat.BLOCK_SHIFT;
  }
}
