package dev.holdfast.codec.docvalues;

import static dev.holdfast.codec.docvalues.HoldfastDocValuesFormat.*;

import java.io.IOException;
import org.apache.lucene.store.IndexOutput;

/// Writes the blocks of one column, then its block table.
final class ColumnBlockWriter {
  /// How a block is written.
  interface Form {
    /// How many words the table has of a block.
    int tableWords();

    /// Writes a block.
    ///
    /// @param differences of its values from the least, in units of the column's divisor: unsigned
    /// @param offset of its bytes from the column's first
    /// @param table gets its words from `at` on
    void write(
        IndexOutput out,
        long[] differences,
        int count,
        long least,
        long offset,
        long[] table,
        int at)
        throws IOException;
  }

  private final IndexOutput out;
  private final long divisor;
  private final Form form;
  private final long start;
  private final long[] block = new long[BLOCK_SIZE];
  private final long[] table;
  private int inBlock;
  private int blocks;
  private long end;

  ColumnBlockWriter(IndexOutput out, int values, long divisor, Form form) {
    this.out = out;
    this.divisor = divisor;
    this.form = form;
    this.start = out.getFilePointer();
    this.table = new long[form.tableWords() * ((values + BLOCK_SIZE - 1) >>> BLOCK_SHIFT)];
  }

  void add(long value) throws IOException {
    block[inBlock++] = value;
    if (inBlock == BLOCK_SIZE) {
      flush();
    }
  }

  /// Writes what is left, and the table.
  void finish() throws IOException {
    if (inBlock > 0) {
      flush();
    }
    end = out.getFilePointer();
    for (long word : table) {
      out.writeLong(word);
    }
  }

  /// Where the blocks' bytes begin.
  long start() {
    return start;
  }

  /// Where they end and the table begins.
  long end() {
    return end;
  }

  private void flush() throws IOException {
    long least = block[0];
    for (int i = 1; i < inBlock; i++) {
      least = Math.min(least, block[i]);
    }
    for (int i = 0; i < inBlock; i++) {
      // Unsigned: the ends of a block may lie further apart than a signed long reaches; the divisor
      // is 1 then.
      long difference = block[i] - least;
      block[i] = divisor == 1 ? difference : Long.divideUnsigned(difference, divisor);
    }
    long offset = out.getFilePointer() - start;
    form.write(out, block, inBlock, least, offset, table, form.tableWords() * blocks);
    blocks++;
    inBlock = 0;
  }
}
