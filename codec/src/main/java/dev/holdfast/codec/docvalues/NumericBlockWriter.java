package dev.holdfast.codec.docvalues;

import static dev.holdfast.codec.docvalues.HoldfastDocValuesFormat.*;

import java.io.IOException;
import org.apache.lucene.store.IndexOutput;

/// Writes blocks of whole bytes a value.
final class NumericBlockWriter implements ColumnBlockWriter {
  private final IndexOutput out;
  private final long divisor;
  private final long start;
  private final long[] block = new long[BLOCK_SIZE];
  private final long[] table;
  private int inBlock;
  private int blocks;
  private long end;

  NumericBlockWriter(IndexOutput out, int values, long divisor) {
    this.out = out;
    this.divisor = divisor;
    this.start = out.getFilePointer();
    this.table = new long[2 * ((values + BLOCK_SIZE - 1) >>> BLOCK_SHIFT)];
  }

  @Override
  public void add(long value) throws IOException {
    block[inBlock++] = value;
    if (inBlock == BLOCK_SIZE) {
      flush();
    }
  }

  @Override
  public void finish() throws IOException {
    if (inBlock > 0) {
      flush();
    }
    end = out.getFilePointer();
    for (long word : table) {
      out.writeLong(word);
    }
  }

  @Override
  public long start() {
    return start;
  }

  @Override
  public long end() {
    return end;
  }

  private void flush() throws IOException {
    long least = block[0];
    long most = block[0];
    for (int i = 1; i < inBlock; i++) {
      least = Math.min(least, block[i]);
      most = Math.max(most, block[i]);
    }
    int width = width(difference(most, least));
    table[2 * blocks] = least;
    table[2 * blocks + 1] = (out.getFilePointer() - start) << WIDTH_BITS | width;
    for (int i = 0; i < inBlock && width > 0; i++) {
      write(difference(block[i], least), width);
    }
    blocks++;
    inBlock = 0;
  }

  /// Unsigned: the ends of a block may lie further apart than a signed long reaches; the divisor is
  /// 1 then.
  private long difference(long value, long least) {
    long difference = value - least;
    return divisor == 1 ? difference : Long.divideUnsigned(difference, divisor);
  }

  private static int width(long most) {
    int bytes = (Long.SIZE - Long.numberOfLeadingZeros(most) + 7) / 8;
    return bytes > 4 ? 8 : bytes;
  }

  private void write(long difference, int width) throws IOException {
    switch (width) {
      case 1 -> out.writeByte((byte) difference);
      case 2 -> out.writeShort((short) difference);
      case 3 -> {
        out.writeShort((short) difference);
        out.writeByte((byte) (difference >>> 16));
      }
      case 4 -> out.writeInt((int) difference);
      default -> out.writeLong(difference);
    }
  }
}
