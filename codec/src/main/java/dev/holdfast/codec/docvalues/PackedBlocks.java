package dev.holdfast.codec.docvalues;

import static dev.holdfast.codec.docvalues.HoldfastDocValuesFormat.*;

import java.io.EOFException;
import java.io.IOException;
import java.util.Locale;
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
  private final int blocks;
  private final PackedBits bits = new PackedBits();
  private final long[] decoded;
  private int block = -1;

  PackedBlocks(IndexInput data, NumericColumn column) throws IOException {
    this.divisor = column.divisor();
    this.values = column.values();
    this.blocks = column.blocks();
    this.bytes =
        data.slice(
            "packed column", column.blocksOffset(), column.tableOffset() - column.blocksOffset());
    this.table = data.randomAccessSlice(column.tableOffset(), (long) blocks * Long.BYTES);
    this.decoded = new long[Math.min(values, BLOCK_SIZE)];
  }

  @Override
  public long get(int index) throws IOException {
    requireThere(index, 1);
    enter(index >>> BLOCK_SHIFT);
    return decoded[index & (BLOCK_SIZE - 1)];
  }

  @Override
  public void copy(int from, int count, long[] to, int offset) throws IOException {
    requireThere(from, count);
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

  /// Who asks may have the index from other bytes.
  private void requireThere(int from, int count) throws CorruptIndexException {
    if (from < 0 || from > values - count) {
      throw new CorruptIndexException(
          String.format(
              Locale.ROOT,
              "no such value of a column [from=%d, count=%d, values=%d]",
              from,
              count,
              values),
          bytes);
    }
  }

  private void enter(int wanted) throws IOException {
    if (wanted == block) {
      return;
    }
    block = -1; // what is decoded is of no block if reading fails
    long start = start(wanted);
    long end = start(wanted + 1);
    if (start < 0 || start >= end || end > bytes.length()) {
      throw new CorruptIndexException(
          String.format(
              Locale.ROOT,
              "damaged table of blocks [block=%d, start=%d, end=%d]",
              wanted,
              start,
              end),
          bytes);
    }
    bytes.seek(start);
    int count = Math.min(BLOCK_SIZE, values - (wanted << BLOCK_SHIFT));
    try {
      read(count);
    } catch (EOFException cutOff) {
      throw new CorruptIndexException("block is cut off [block=" + wanted + "]", bytes, cutOff);
    }
    if (bytes.getFilePointer() != end) {
      throw new CorruptIndexException(
          String.format(
              Locale.ROOT,
              "block does not end where the next begins [block=%d, start=%d, end=%d]",
              wanted,
              start,
              end),
          bytes);
    }
    block = wanted;
  }

  private long start(int of) throws IOException {
    return of < blocks ? table.readLong((long) of * Long.BYTES) : bytes.length();
  }

  private void read(int count) throws IOException {
    long least = bytes.readZLong();
    switch (bytes.readByte()) {
      case PackedForm.OFFSETS -> bits.read(bytes, decoded, count);
      case PackedForm.DIFFERENCES -> PackedForm.Differences.read(bytes, decoded, count, bits);
      case PackedForm.WORDS -> PackedForm.Words.read(bytes, decoded, count, bits);
      default -> throw new CorruptIndexException("unknown form of a block", bytes);
    }
    scale(decoded, count, divisor, least);
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
