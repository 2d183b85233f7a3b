package dev.holdfast.codec.docvalues;

import java.io.IOException;
import org.apache.lucene.codecs.DocValuesConsumer;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;

/// Doc values that are as small as can be read in bulk, for what is kept long and read in long
/// runs: as [HoldfastDocValuesFormat], but that numbers take as many bits as they need
/// ([PackedBlock]), and that of terms the ordinals are such numbers and the bytes are compressed
/// ([dev.holdfast.codec.terms.PackedTerms]).
public final class PackedDocValuesFormat extends DocValuesFormat {
  private static final String NAME = "HoldfastPackedDocValues1";

  /// For Lucene's look-up by name.
  public PackedDocValuesFormat() {
    super(NAME);
  }

  @Override
  public DocValuesConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
    return HoldfastDocValuesFormat.consumer(state, ColumnLayout.BITS);
  }

  @Override
  public DocValuesProducer fieldsProducer(SegmentReadState state) throws IOException {
    return HoldfastDocValuesFormat.producer(state, ColumnLayout.BITS);
  }
}
