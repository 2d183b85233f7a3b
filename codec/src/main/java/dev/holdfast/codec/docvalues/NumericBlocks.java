package dev.holdfast.codec.docvalues;

import static dev.holdfast.codec.docvalues.HoldfastDocValuesFormat.*;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.BytesRef;

/// The values of one column whose blocks are whole bytes a value.
final class NumericBlocks implements ColumnBlocks {
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final IndexInput data;
  private final RandomAccessInput bytes;
  private final RandomAccessInput table;
  private final long divisor;
  private final int values;

  /// Of all blocks' bytes.
  private final long length;

  /// Made when first needed: most look-ups by id read one value of a column.
  private byte[] buffer = BytesRef.EMPTY_BYTES;

  private int block = -1;
  private long least;
  private int width;
  private long offset;

  NumericBlocks(IndexInput data, NumericColumn column) throws IOException {
    this.data = data;
    this.divisor = column.divisor();
    this.values = column.values();
    this.length = column.tableOffset() - column.blocksOffset();
    // With the table behind the last block: three bytes are read as four.
    long end = column.tableOffset() + (long) column.blocks() * BLOCK_ENTRY_BYTES;
    this.bytes = data.randomAccessSlice(column.blocksOffset(), end - column.blocksOffset());
    this.table =
        data.randomAccessSlice(column.tableOffset(), (long) column.blocks() * BLOCK_ENTRY_BYTES);
  }

  @Override
  public long get(int index) throws IOException {
    requireThere(index, 1);
    enter(index >>> BLOCK_SHIFT);
    int inBlock = index & (BLOCK_SIZE - 1);
    long at = offset + (long) inBlock * width;
    return switch (width) {
      case 0 -> least;
      case 1 -> least + divisor * (bytes.readByte(at) & 0xFFL);
      case 2 -> least + divisor * (bytes.readShort(at) & 0xFFFFL);
      case 3 -> least + divisor * (bytes.readInt(at) & 0xFFFFFFL);
      case 4 -> least + divisor * (bytes.readInt(at) & 0xFFFFFFFFL);
      default -> least + divisor * bytes.readLong(at);
    };
  }

  @Override
  public void copy(int from, int count, long[] values, int valuesOffset) throws IOException {
    requireThere(from, count);
    int index = from;
    int end = from + count;
    int to = valuesOffset;
    while (index < end) {
      enter(index >>> BLOCK_SHIFT);
      int inBlock = index & (BLOCK_SIZE - 1);
      int run = Math.min(end - index, BLOCK_SIZE - inBlock);
      decode(inBlock, run, values, to);
      index += run;
      to += run;
    }
  }

  /// Who asks may have the index from other bytes.
  private void requireThere(int from, int count) throws CorruptIndexException {
    if (from < 0 || from > values - count) {
      throw new CorruptIndexException(
          String.format(Locale.ROOT, "values beyond the last [value=%d, values=%d]", from, values),
          data);
    }
  }

  private void enter(int wanted) throws IOException {
    if (wanted != block) {
      long entry = (long) wanted * BLOCK_ENTRY_BYTES;
      least = table.readLong(entry);
      long place = table.readLong(entry + Long.BYTES);
      offset = place >>> WIDTH_BITS;
      width = (int) place & WIDTH_MASK;
      block = -1;
      int count = Math.min(BLOCK_SIZE, values - (wanted << BLOCK_SHIFT));
      if ((width > 4 && width != 8) || offset > length - (long) count * width) {
        throw new CorruptIndexException(
            String.format(
                Locale.ROOT,
                "damaged table of blocks [block=%d, width=%d, offset=%d]",
                wanted,
                width,
                offset),
            data);
      }
      block = wanted;
    }
  }

  private void decode(int inBlock, int count, long[] values, int to) throws IOException {
    if (width == 0) {
      Arrays.fill(values, to, to + count, least);
      return;
    }
    if (buffer.length == 0) {
      buffer = new byte[BLOCK_SIZE * Long.BYTES + Integer.BYTES];
    }
    bytes.readBytes(offset + (long) inBlock * width, buffer, 0, count * width);
    switch (width) {
      case 1 -> bytes(buffer, count, values, to);
      case 2 -> shorts(buffer, count, values, to);
      case 3 -> triples(buffer, count, values, to);
      case 4 -> ints(buffer, count, values, to);
      default -> longs(buffer, count, values, to);
    }
    scale(values, to, count, divisor, least);
  }

  // One loop a width: each is compiled by itself, into vector code where the processor has it.

  private static void bytes(byte[] from, int count, long[] values, int to) {
    for (int i = 0; i < count; i++) {
      values[to + i] = (from[i] & 0xFFL);
    }
  }

  private static void shorts(byte[] from, int count, long[] values, int to) {
    for (int i = 0; i < count; i++) {
      values[to + i] = ((short) SHORTS.get(from, i << 1) & 0xFFFFL);
    }
  }

  private static void triples(byte[] from, int count, long[] values, int to) {
    for (int i = 0; i < count; i++) {
      values[to + i] = ((int) INTS.get(from, 3 * i) & 0xFFFFFFL);
    }
  }

  private static void ints(byte[] from, int count, long[] values, int to) {
    for (int i = 0; i < count; i++) {
      values[to + i] = ((int) INTS.get(from, i << 2) & 0xFFFFFFFFL);
    }
  }

  private static void longs(byte[] from, int count, long[] values, int to) {
    for (int i = 0; i < count; i++) {
      values[to + i] = (long) LONGS.get(from, i << 3);
    }
  }

  private static void scale(long[] values, int from, int count, long divisor, long least) {
    if (divisor == 1) {
      for (int i = from; i < from + count; i++) {
        values[i] += least;
      }
    } else {
      for (int i = from; i < from + count; i++) {
        values[i] = values[i] * divisor + least;
      }
    }
  }
}
