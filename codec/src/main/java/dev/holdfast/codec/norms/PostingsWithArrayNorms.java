package dev.holdfast.codec.norms;

import java.io.IOException;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.jspecify.annotations.Nullable;

/// Another postings format, given norms that are quick to look up while it writes. What is written
/// is the other format's.
public final class PostingsWithArrayNorms extends PostingsFormat {
  /// Larger segments keep Lucene's norms: an array would cost a byte a document for the time of a
  /// merge.
  private static final int DOCUMENTS_MAX = 4 << 20;

  private final PostingsFormat format;

  public PostingsWithArrayNorms(PostingsFormat format) {
    super(format.getName());
    this.format = format;
  }

  @Override
  public FieldsConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
    FieldsConsumer consumer = format.fieldsConsumer(state);
    int maxDoc = state.segmentInfo.maxDoc();
    return new FieldsConsumer() {
      @Override
      public void write(Fields fields, NormsProducer norms) throws IOException {
        consumer.write(fields, quick(norms));
      }

      @Override
      public void merge(MergeState mergeState, NormsProducer norms) throws IOException {
        consumer.merge(mergeState, quick(norms));
      }

      // Lucene passes null when no field has norms, though its signature does not say so.
      private NormsProducer quick(@Nullable NormsProducer norms) {
        return norms == null || maxDoc > DOCUMENTS_MAX
            ? uncheckedNull(norms)
            : new ArrayNorms(norms, maxDoc);
      }

      @Override
      public void close() throws IOException {
        consumer.close();
      }
    };
  }

  @SuppressWarnings("NullAway") // see quick
  private static NormsProducer uncheckedNull(@Nullable NormsProducer norms) {
    return norms;
  }

  @Override
  public FieldsProducer fieldsProducer(SegmentReadState state) throws IOException {
    return format.fieldsProducer(state);
  }
}
