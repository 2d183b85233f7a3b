package dev.holdfast.codec.docvalues;

import java.io.IOException;
import org.apache.lucene.codecs.lucene90.IndexedDISI;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/// The set of documents that have a value, in Lucene's encoding.
final class NumericDocs {
  private static final byte RANK_POWER = IndexedDISI.DEFAULT_DENSE_RANK_POWER;

  private NumericDocs() {}

  /// Writes the set; answers the number of entries of its jump table, which reading needs.
  static short write(DocIdSetIterator docs, IndexOutput out) throws IOException {
    return IndexedDISI.writeBitSet(docs, out, RANK_POWER);
  }

  static IndexedDISI read(IndexInput data, NumericColumn column) throws IOException {
    return new IndexedDISI(
        data,
        column.docsOffset(),
        column.docsLength(),
        column.jumpEntries(),
        RANK_POWER,
        column.values());
  }
}
