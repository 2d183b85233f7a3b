package dev.holdfast.codec.bloom;

import java.io.IOException;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.util.IOUtils;

/// Postings of ids: Lucene's, with a bloom filter in front, so that a look-up of an id that a
/// segment lacks costs nanoseconds and no read of its terms.
public final class IdPostingsFormat extends PostingsFormat {
  private static final String NAME = "HoldfastId1";

  private final PostingsFormat postings = new Lucene104PostingsFormat();

  /// For Lucene's look-up by name.
  public IdPostingsFormat() {
    super(NAME);
  }

  @Override
  public FieldsConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
    FieldsConsumer consumer = postings.fieldsConsumer(state);
    try {
      return new BloomFieldsConsumer(consumer, state);
    } catch (Throwable failed) {
      IOUtils.closeWhileSuppressingExceptions(failed, consumer);
      throw failed;
    }
  }

  @Override
  public FieldsProducer fieldsProducer(SegmentReadState state) throws IOException {
    FieldsProducer producer = postings.fieldsProducer(state);
    try {
      return new BloomFieldsProducer(producer, state);
    } catch (Throwable failed) {
      IOUtils.closeWhileSuppressingExceptions(failed, producer);
      throw failed;
    }
  }
}
