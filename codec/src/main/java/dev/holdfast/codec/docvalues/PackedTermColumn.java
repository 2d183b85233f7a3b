package dev.holdfast.codec.docvalues;

import dev.holdfast.codec.terms.PackedTerms;
import java.io.IOException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/// Where a column of terms lies: the ordinals of documents that have one term at most, or the
/// ordinals of all documents one after another and where those of each begin.
///
/// @param starts null where no document has several terms
record PackedTermColumn(@Nullable NumericColumn starts, NumericColumn ordinals, PackedTerms terms) {
  /// What stands before a column in the metadata of a packed segment.
  static final byte NUMBERS = 0;

  static final byte SINGLE_TERMS = 1;
  static final byte TERMS = 2;

  static PackedTermColumn read(IndexInput meta, int fieldNumber, byte kind) throws IOException {
    if (kind != SINGLE_TERMS && kind != TERMS) {
      throw new CorruptIndexException("unknown kind of a column [kind=" + kind + "]", meta);
    }
    NumericColumn starts = kind == TERMS ? NumericColumn.read(meta, fieldNumber) : null;
    return new PackedTermColumn(
        starts, NumericColumn.read(meta, fieldNumber), PackedTerms.read(meta));
  }
}
