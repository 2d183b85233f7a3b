package dev.holdfast.codec.docvalues;

import java.io.IOException;
import org.apache.lucene.store.IndexOutput;

/// Packed blocks: each in whichever [PackedForm] needs the fewest bits, and apart from those the
/// few values that would need more than most ([PackedBits]).
final class PackedBlock implements ColumnBlockWriter.Form {
  private final PackedForm[] forms = {
    new PackedForm.Offsets(), new PackedForm.Differences(), new PackedForm.Words()
  };

  @Override
  public int tableWords() {
    return 1;
  }

  @Override
  public void write(
      IndexOutput out, long[] differences, int count, long least, long offset, long[] table, int at)
      throws IOException {
    table[at] = offset;
    PackedForm best = forms[0];
    int fewest = Integer.MAX_VALUE;
    for (PackedForm form : forms) {
      int bytes = form.prepare(differences, count);
      if (bytes < fewest) {
        best = form;
        fewest = bytes;
      }
    }
    out.writeZLong(least);
    out.writeByte(best.code());
    best.write(out, count);
  }
}
