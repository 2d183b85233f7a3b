package dev.holdfast.codec.docvalues;

import java.io.IOException;

/// The values of one column by their index, one at a time or many. For one thread.
interface ColumnBlocks {
  /// The value at an index.
  long get(int index) throws IOException;

  /// Copies the values of indexes `[from, from + count)`.
  void copy(int from, int count, long[] values, int valuesOffset) throws IOException;
}
