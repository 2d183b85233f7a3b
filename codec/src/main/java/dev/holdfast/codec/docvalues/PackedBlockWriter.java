package dev.holdfast.codec.docvalues;

import static dev.holdfast.codec.docvalues.HoldfastDocValuesFormat.*;

import java.io.IOException;
import org.apache.lucene.store.IndexOutput;

/// Writes blocks of packed values: each in whichever [PackedForm] needs the fewest bits, and apart
/// from those the few values that would need more than most ([PackedBits]).
final class PackedBlockWriter implements ColumnBlockWriter {
  private final IndexOutput out;
  private final long divisor;
  private final long start;
  private final long[] block = new long[BLOCK_SIZE];
  private final long[] table;
  private final PackedForm[] forms = {
    new PackedForm.Offsets(), new PackedForm.Differences(), new PackedForm.Words()
  };
  private int inBlock;
  private int blocks;
  private long end;

  PackedBlockWriter(IndexOutput out, int values, long divisor) {
    this.out = out;
    this.divisor = divisor;
    this.start = out.getFilePointer();
    this.table = new long[(values + BLOCK_SIZE - 1) >>> BLOCK_SHIFT];
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
    for (long offset : table) {
      out.writeLong(offset);
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
    table[blocks++] = out.getFilePointer() - start;
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
    PackedForm best = forms[0];
    int fewest = Integer.MAX_VALUE;
    for (PackedForm form : forms) {
      int bytes = form.prepare(block, inBlock);
      if (bytes < fewest) {
        best = form;
        fewest = bytes;
      }
    }
    out.writeZLong(least);
    out.writeByte(best.code());
    best.write(out, inBlock);
    inBlock = 0;
  }
}
