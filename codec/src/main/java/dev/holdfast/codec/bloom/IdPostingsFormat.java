package dev.holdfast.codec.bloom;

import java.io.IOException;
import java.util.function.BooleanSupplier;
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
  private final BooleanSupplier isCompact;

  /// For Lucene's look-up by name.
  public IdPostingsFormat() {
    this(() -> false);
  }

  /// @param isCompact whether ids that the server made do without a filter
  public IdPostingsFormat(BooleanSupplier isCompact) {
    super(NAME);
    this.isCompact = isCompact;
  }

  @Override
  public FieldsConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
    FieldsConsumer consumer = postings.fieldsConsumer(state);
    try {
      return new BloomFieldsConsumer(consumer, state, isCompact.getAsBoolean());
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
