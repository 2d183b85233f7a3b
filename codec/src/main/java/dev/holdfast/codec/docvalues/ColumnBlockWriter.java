package dev.holdfast.codec.docvalues;

import java.io.IOException;

/// Writes the blocks of one column, then its block table.
interface ColumnBlockWriter {
  void add(long value) throws IOException;

  /// Writes what is left, and the table.
  void finish() throws IOException;

  /// Where the blocks' bytes begin.
  long start();

  /// Where they end and the table begins.
  long end();
}
