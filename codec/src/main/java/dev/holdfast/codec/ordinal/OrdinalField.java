package dev.holdfast.codec.ordinal;

import dev.holdfast.codec.terms.PackedTerms;
import java.io.IOException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.packed.DirectMonotonicReader;

/// What is known of a field's postings.
///
/// @param table how the starts of its blocks are packed
/// @param tableStart where they lie
record OrdinalField(
    long terms,
    long sumTotalTermFreq,
    long sumDocFreq,
    int documents,
    DirectMonotonicReader.Meta table,
    long tableStart,
    long tableLength) {
  static long blocks(long terms) {
    return (terms + OrdinalPostingsFormat.BLOCK_SIZE - 1) >>> OrdinalPostingsFormat.BLOCK_SHIFT;
  }

  /// Without the table's own, which has been written by then.
  static void write(
      IndexOutput meta,
      long terms,
      long sumTotalTermFreq,
      long sumDocFreq,
      int documents,
      long tableStart,
      long tableLength)
      throws IOException {
    meta.writeVLong(terms);
    meta.writeVLong(sumTotalTermFreq);
    meta.writeVLong(sumDocFreq);
    meta.writeVInt(documents);
    meta.writeVLong(tableStart);
    meta.writeVLong(tableLength);
  }

  static OrdinalField read(IndexInput meta) throws IOException {
    long blocks = meta.readVLong();
    DirectMonotonicReader.Meta table =
        PackedTerms.table(meta, blocks, OrdinalPostingsFormat.TABLE_SHIFT);
    OrdinalField field =
        new OrdinalField(
            meta.readVLong(),
            meta.readVLong(),
            meta.readVLong(),
            meta.readVInt(),
            table,
            meta.readVLong(),
            meta.readVLong());
    if (field.terms < 1
        || blocks(field.terms) != blocks
        || field.sumDocFreq < field.terms
        || field.sumTotalTermFreq < field.sumDocFreq) {
      throw new CorruptIndexException("damaged field " + field, meta);
    }
    return field;
  }
}
