package dev.holdfast.codec.docvalues;

import static dev.holdfast.codec.docvalues.HoldfastDocValuesFormat.*;

import java.io.IOException;
import org.apache.lucene.store.IndexOutput;

/// Blocks of whole bytes a value, of which the table has the least value and the width.
final class WholeBytes implements ColumnBlockWriter.Form {
  @Override
  public int tableWords() {
    return 2;
  }

  @Override
  public void write(
      IndexOutput out, long[] differences, int count, long least, long offset, long[] table, int at)
      throws IOException {
    long all = 0;
    for (int i = 0; i < count; i++) {
      all |= differences[i];
    }
    int width = width(all);
    table[at] = least;
    table[at + 1] = offset << WIDTH_BITS | width;
    for (int i = 0; i < count && width > 0; i++) {
      write(out, differences[i], width);
    }
  }

  private static int width(long most) {
    int bytes = (Long.SIZE - Long.numberOfLeadingZeros(most) + 7) / 8;
    return bytes > 4 ? 8 : bytes;
  }

  private static void write(IndexOutput out, long difference, int width) throws IOException {
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
