package dev.holdfast.codec.ordinal;

import java.io.IOException;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;

/// Postings without terms, for fields that have exactly their terms as doc values (sorted, or a
/// sorted set): the n-th term of one is the n-th of the other. Documents are written as Lucene
/// writes them, but for terms that one document has.
///
/// The file `hop` holds blocks of 64 terms one after another, and behind those of each field where
/// each block begins. A block has the documents of terms that one document has once, in as many
/// bits as documents of the segment need; and what Lucene must know of the others. The file `hom`
/// holds what is to be known of each field ([OrdinalField]).
public final class OrdinalPostingsFormat extends PostingsFormat {
  static final String DATA_CODEC = "HoldfastOrdinalPostingsData";
  static final String DATA_EXTENSION = "hop";
  static final String META_CODEC = "HoldfastOrdinalPostingsMeta";
  static final String META_EXTENSION = "hom";
  static final int VERSION_FIRST = 0;
  static final int VERSION_LAST = 0;

  static final int BLOCK_SHIFT = 6;
  static final int BLOCK_SIZE = 1 << BLOCK_SHIFT;

  /// Of the table of blocks.
  static final int TABLE_SHIFT = 10;

  private static final String NAME = "HoldfastOrdinal1";

  /// For Lucene's look-up by name.
  public OrdinalPostingsFormat() {
    super(NAME);
  }

  @Override
  public FieldsConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
    return new OrdinalFieldsConsumer(state);
  }

  @Override
  public FieldsProducer fieldsProducer(SegmentReadState state) throws IOException {
    return new OrdinalFieldsProducer(state);
  }

  /// Bits of a document's number.
  static int documentBits(int maxDoc) {
    return Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(maxDoc - 1));
  }
}
