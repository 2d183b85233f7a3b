package dev.holdfast.codec.norms;

import java.io.IOException;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/// Norms of a segment that is being written, one field at a time in an array. The postings writer
/// asks for the norm of each posting, term by term; for a field that some documents lack, Lucene's
/// own iterator searches a sparse set each time, which is a seventh of the cost of indexing
/// documents with many optional texts.
final class ArrayNorms extends NormsProducer {
  private final NormsProducer norms;
  private final int maxDoc;
  private @Nullable FieldInfo field;
  private byte @Nullable [] values;
  private FixedBitSet present = new FixedBitSet(0);

  ArrayNorms(NormsProducer norms, int maxDoc) {
    this.norms = norms;
    this.maxDoc = maxDoc;
  }

  /// Called once a term; the fields come one after the other.
  @Override
  public NumericDocValues getNorms(FieldInfo asked) throws IOException {
    if (field == null || field.number != asked.number) {
      field = asked;
      values = read(asked);
    }
    return values == null ? norms.getNorms(asked) : new Values(values, present);
  }

  /// Null when a norm does not fit a byte, as those of unusual similarities.
  private byte @Nullable [] read(FieldInfo asked) throws IOException {
    NumericDocValues source = norms.getNorms(asked);
    if (source == null) {
      return null;
    }
    byte[] read = new byte[maxDoc];
    present = new FixedBitSet(maxDoc);
    for (int doc = source.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = source.nextDoc()) {
      long value = source.longValue();
      if (value != (byte) value) {
        return null;
      }
      read[doc] = (byte) value;
      present.set(doc);
    }
    return read;
  }

  @Override
  public void checkIntegrity() throws IOException {
    norms.checkIntegrity();
  }

  @Override
  public void close() throws IOException {
    norms.close();
  }

  private static final class Values extends NumericDocValues {
    private final byte[] values;
    private final FixedBitSet present;
    private int doc = -1;

    Values(byte[] values, FixedBitSet present) {
      this.values = values;
      this.present = present;
    }

    @Override
    public boolean advanceExact(int target) {
      doc = target;
      return present.get(target);
    }

    @Override
    public long longValue() {
      return values[doc];
    }

    @Override
    public int docID() {
      return doc;
    }

    @Override
    public int nextDoc() {
      return advance(doc + 1);
    }

    @Override
    public int advance(int target) {
      doc = target >= values.length ? NO_MORE_DOCS : present.nextSetBit(target);
      return doc;
    }

    @Override
    public long cost() {
      return values.length;
    }
  }
}
