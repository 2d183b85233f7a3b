package dev.holdfast.codec.docvalues;

import java.io.IOException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/// How the blocks of numeric columns are written.
enum ColumnLayout {
  /// Whole bytes a value, for speed ([WholeBytes]); ordinals are Lucene's.
  BYTES(2 * Long.BYTES, false) {
    @Override
    ColumnBlockWriter writer(IndexOutput out, int values, long divisor) {
      return new ColumnBlockWriter(out, values, divisor, new WholeBytes());
    }

    @Override
    ColumnBlocks blocks(IndexInput data, NumericColumn column) throws IOException {
      return new NumericBlocks(data, column);
    }
  },
  /// As few bits a value as will do ([PackedBlock]), ordinals and terms too.
  BITS(Long.BYTES, true) {
    @Override
    ColumnBlockWriter writer(IndexOutput out, int values, long divisor) {
      return new ColumnBlockWriter(out, values, divisor, new PackedBlock());
    }

    @Override
    ColumnBlocks blocks(IndexInput data, NumericColumn column) throws IOException {
      return new PackedBlocks(data, column);
    }
  };

  /// Bytes of a block's entry in the block table.
  final int entryBytes;

  /// Whether ordinals are columns like others, and terms packed.
  final boolean hasTerms;

  ColumnLayout(int entryBytes, boolean hasTerms) {
    this.entryBytes = entryBytes;
    this.hasTerms = hasTerms;
  }

  abstract ColumnBlockWriter writer(IndexOutput out, int values, long divisor);

  abstract ColumnBlocks blocks(IndexInput data, NumericColumn column) throws IOException;
}
