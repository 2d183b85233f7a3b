package dev.holdfast.codec;

import static dev.holdfast.codec.HoldfastDocValuesFormat.*;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/// The values of one column by their index, one at a time or many. For one thread.
final class NumericBlocks {
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final RandomAccessInput bytes;
  private final RandomAccessInput table;
  private final long divisor;
  private final byte[] buffer = new byte[BLOCK_SIZE * Long.BYTES + Integer.BYTES];

  private int block = -1;
  private long least;
  private int width;
  private long offset;

  NumericBlocks(IndexInput data, NumericColumn column) throws IOException {
    this.divisor = column.divisor();
    this.bytes =
        data.randomAccessSlice(column.blocksOffset(), column.tableOffset() - column.blocksOffset());
    this.table =
        data.randomAccessSlice(column.tableOffset(), (long) column.blocks() * BLOCK_ENTRY_BYTES);
  }

  /// The value at an index.
  long get(int index) throws IOException {
    enter(index >>> BLOCK_SHIFT);
    int inBlock = index & (BLOCK_SIZE - 1);
    long at = offset + (long) inBlock * width;
    return switch (width) {
      case 0 -> least;
      case 1 -> least + divisor * (bytes.readByte(at) & 0xFFL);
      case 2 -> least + divisor * (bytes.readShort(at) & 0xFFFFL);
      case 3 -> {
        long low = bytes.readShort(at) & 0xFFFFL;
        long high = bytes.readByte(at + 2) & 0xFFL;
        yield least + divisor * (low | (high << 16));
      }
      case 4 -> least + divisor * (bytes.readInt(at) & 0xFFFFFFFFL);
      default -> least + divisor * bytes.readLong(at);
    };
  }

  /// Copies the values of indexes `[from, from + count)`.
  void copy(int from, int count, long[] values, int valuesOffset) throws IOException {
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

  private void enter(int wanted) throws IOException {
    if (wanted != block) {
      long entry = (long) wanted * BLOCK_ENTRY_BYTES;
      least = table.readLong(entry);
      long place = table.readLong(entry + Long.BYTES);
      offset = place >>> WIDTH_BITS;
      width = (int) place & WIDTH_MASK;
      block = wanted;
    }
  }

  private void decode(int inBlock, int count, long[] values, int to) throws IOException {
    if (width == 0) {
      Arrays.fill(values, to, to + count, least);
      return;
    }
    bytes.readBytes(offset + (long) inBlock * width, buffer, 0, count * width);
    if (divisor == 1) {
      switch (width) {
        case 1 -> bytes(buffer, count, values, to, least);
        case 2 -> shorts(buffer, count, values, to, least);
        case 3 -> triples(buffer, count, values, to, least);
        case 4 -> ints(buffer, count, values, to, least);
        default -> longs(buffer, count, values, to, least);
      }
      return;
    }
    switch (width) {
      case 1 -> bytes(buffer, count, values, to, 0);
      case 2 -> shorts(buffer, count, values, to, 0);
      case 3 -> triples(buffer, count, values, to, 0);
      case 4 -> ints(buffer, count, values, to, 0);
      default -> longs(buffer, count, values, to, 0);
    }
    scale(values, to, count, divisor, least);
  }

  // One loop a width: each is compiled by itself, into vector code where the processor has it.

  private static void bytes(byte[] from, int count, long[] values, int to, long least) {
    for (int i = 0; i < count; i++) {
      values[to + i] = least + (from[i] & 0xFFL);
    }
  }

  private static void shorts(byte[] from, int count, long[] values, int to, long least) {
    for (int i = 0; i < count; i++) {
      values[to + i] = least + ((short) SHORTS.get(from, i << 1) & 0xFFFFL);
    }
  }

  private static void triples(byte[] from, int count, long[] values, int to, long least) {
    for (int i = 0; i < count; i++) {
      values[to + i] = least + ((int) INTS.get(from, 3 * i) & 0xFFFFFFL);
    }
  }

  private static void ints(byte[] from, int count, long[] values, int to, long least) {
    for (int i = 0; i < count; i++) {
      values[to + i] = least + ((int) INTS.get(from, i << 2) & 0xFFFFFFFFL);
    }
  }

  private static void longs(byte[] from, int count, long[] values, int to, long least) {
    for (int i = 0; i < count; i++) {
      values[to + i] = least + (long) LONGS.get(from, i << 3);
    }
  }

  private static void scale(long[] values, int from, int count, long divisor, long least) {
    for (int i = from; i < from + count; i++) {
      values[i] = values[i] * divisor + least;
    }
  }
}
