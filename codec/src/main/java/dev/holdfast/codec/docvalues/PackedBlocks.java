package dev.holdfast.codec.docvalues;

import static dev.holdfast.codec.docvalues.HoldfastDocValuesFormat.*;

import java.io.IOException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/// The values of one packed column. A block is decoded as a whole, whatever is asked of it, and
/// kept until another is wanted.
final class PackedBlocks implements ColumnBlocks {
  private final IndexInput bytes;
  private final RandomAccessInput table;
  private final long divisor;
  private final int values;
  private final PackedBits bits = new PackedBits();
  private final long[] decoded;
  private int block = -1;

  PackedBlocks(IndexInput data, NumericColumn column) throws IOException {
    this.divisor = column.divisor();
    this.values = column.values();
    this.bytes =
        data.slice(
            "packed column", column.blocksOffset(), column.tableOffset() - column.blocksOffset());
    this.table = data.randomAccessSlice(column.tableOffset(), (long) column.blocks() * Long.BYTES);
    this.decoded = new long[Math.min(values, BLOCK_SIZE)];
  }

  @Override
  public long get(int index) throws IOException {
    enter(index >>> BLOCK_SHIFT);
    return decoded[index & (BLOCK_SIZE - 1)];
  }

  @Override
  public void copy(int from, int count, long[] to, int offset) throws IOException {
    int index = from;
    int end = from + count;
    int at = offset;
    while (index < end) {
      enter(index >>> BLOCK_SHIFT);
      int inBlock = index & (BLOCK_SIZE - 1);
      int run = Math.min(end - index, BLOCK_SIZE - inBlock);
      System.arraycopy(decoded, inBlock, to, at, run);
      index += run;
      at += run;
    }
  }

  private void enter(int wanted) throws IOException {
    if (wanted == block) {
      return;
    }
    block = -1; // what is decoded is of no block if reading fails
    bytes.seek(table.readLong((long) wanted * Long.BYTES));
    int count = Math.min(BLOCK_SIZE, values - (wanted << BLOCK_SHIFT));
    long least = bytes.readZLong();
    switch (bytes.readByte()) {
      case PackedForm.OFFSETS -> bits.read(bytes, decoded, count);
      case PackedForm.DIFFERENCES -> PackedForm.Differences.read(bytes, decoded, count, bits);
      case PackedForm.WORDS -> PackedForm.Words.read(bytes, decoded, count, bits);
      default -> throw new CorruptIndexException("unknown form of a block", bytes);
    }
    scale(decoded, count, divisor, least);
    block = wanted;
  }

  private static void scale(long[] values, int count, long divisor, long least) {
    if (divisor == 1) {
      for (int i = 0; i < count; i++) {
        values[i] += least;
      }
    } else {
      for (int i = 0; i < count; i++) {
        values[i] = values[i] * divisor + least;
      }
    }
  }
}
