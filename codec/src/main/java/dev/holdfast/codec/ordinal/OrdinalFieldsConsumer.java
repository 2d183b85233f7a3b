package dev.holdfast.codec.ordinal;

import static dev.holdfast.codec.ordinal.OrdinalPostingsFormat.*;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.codecs.BlockTermState;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.packed.DirectMonotonicWriter;

/// Writes postings without their terms.
final class OrdinalFieldsConsumer extends FieldsConsumer {
  private final SegmentWriteState state;
  private final int documentBits;
  private final Lucene104PostingsWriter postings;
  private final IndexOutput data;
  private final IndexOutput meta;
  private boolean isClosed;

  OrdinalFieldsConsumer(SegmentWriteState state) throws IOException {
    this.state = state;
    this.documentBits = documentBits(state.segmentInfo.maxDoc());
    List<AutoCloseable> opened = new ArrayList<>();
    try {
      postings = new Lucene104PostingsWriter(state);
      opened.add(postings);
      data = create(DATA_EXTENSION, DATA_CODEC);
      opened.add(data);
      meta = create(META_EXTENSION, META_CODEC);
      opened.add(meta);
      postings.init(meta, state);
    } catch (Throwable failed) {
      opened.forEach(one -> closeSilently(failed, one));
      throw failed;
    }
  }

  private static void closeSilently(Throwable failed, AutoCloseable one) {
    try {
      one.close();
    } catch (Exception alsoFailed) {
      failed.addSuppressed(alsoFailed);
    }
  }

  private IndexOutput create(String extension, String codec) throws IOException {
    String name =
        IndexFileNames.segmentFileName(state.segmentInfo.name, state.segmentSuffix, extension);
    IndexOutput out = state.directory.createOutput(name, state.context);
    try {
      CodecUtil.writeIndexHeader(
          out, codec, VERSION_LAST, state.segmentInfo.getId(), state.segmentSuffix);
      return out;
    } catch (Throwable failed) {
      IOUtils.closeWhileSuppressingExceptions(failed, out);
      throw failed;
    }
  }

  @Override
  public void write(Fields fields, NormsProducer norms) throws IOException {
    for (String name : fields) {
      Terms terms = fields.terms(name);
      if (terms != null) {
        FieldInfo field = Objects.requireNonNull(state.fieldInfos.fieldInfo(name));
        write(field, terms.iterator(), norms);
      }
    }
  }

  private void write(FieldInfo field, TermsEnum terms, NormsProducer norms) throws IOException {
    postings.setField(field);
    boolean hasFreqs = field.getIndexOptions() != IndexOptions.DOCS;
    FixedBitSet documents = new FixedBitSet(state.segmentInfo.maxDoc());
    List<Long> starts = new ArrayList<>();
    Block block = new Block(field);
    long count = 0;
    long sumTotalTermFreq = 0;
    long sumDocFreq = 0;
    for (BytesRef term = terms.next(); term != null; term = terms.next()) {
      BlockTermState written = postings.writeTerm(term, terms, documents, norms);
      if (written == null) {
        continue; // all of its documents are deleted, so doc values lack it as well
      }
      count++;
      sumDocFreq += written.docFreq;
      sumTotalTermFreq += hasFreqs ? written.totalTermFreq : written.docFreq;
      block.add((IntBlockTermState) written);
      if (block.terms.size() == BLOCK_SIZE) {
        starts.add(data.getFilePointer());
        block.flush();
      }
    }
    if (!block.terms.isEmpty()) {
      starts.add(data.getFilePointer());
      block.flush();
    }
    if (count == 0) {
      return;
    }
    meta.writeInt(field.number);
    meta.writeVLong(starts.size());
    long tableStart = data.getFilePointer();
    DirectMonotonicWriter table =
        DirectMonotonicWriter.getInstance(meta, data, starts.size(), TABLE_SHIFT);
    for (long start : starts) {
      table.add(start);
    }
    table.finish();
    OrdinalField.write(
        meta,
        count,
        sumTotalTermFreq,
        sumDocFreq,
        documents.cardinality(),
        tableStart,
        data.getFilePointer() - tableStart);
  }

  /// Terms that are written together.
  private final class Block {
    final List<IntBlockTermState> terms = new ArrayList<>();
    private final FieldInfo field;
    private final boolean hasFreqs;
    private final ByteBuffersDataOutput others = ByteBuffersDataOutput.newResettableInstance();

    Block(FieldInfo field) {
      this.field = field;
      this.hasFreqs = field.getIndexOptions() != IndexOptions.DOCS;
    }

    void add(IntBlockTermState term) {
      terms.add(term);
    }

    private boolean isSingle(IntBlockTermState term) {
      return term.docFreq == 1 && (!hasFreqs || term.totalTermFreq == 1);
    }

    void flush() throws IOException {
      long singles = 0;
      for (int i = 0; i < terms.size(); i++) {
        singles |= isSingle(terms.get(i)) ? 1L << i : 0;
      }
      data.writeLong(singles);
      writeSingles();
      boolean isFirst = true;
      for (IntBlockTermState term : terms) {
        if (!isSingle(term)) {
          others.writeVInt(term.docFreq);
          if (hasFreqs) {
            others.writeVLong(term.totalTermFreq - term.docFreq);
          }
          postings.encodeTerm(others, field, term, isFirst);
          isFirst = false;
        }
      }
      others.copyTo(data);
      others.reset();
      terms.clear();
    }

    /// The lowest bits first.
    private void writeSingles() throws IOException {
      long word = 0;
      int bits = 0;
      for (IntBlockTermState term : terms) {
        if (isSingle(term)) {
          word |= (long) term.singletonDocID << bits;
          bits += documentBits;
          while (bits >= Byte.SIZE) {
            data.writeByte((byte) word);
            word >>>= Byte.SIZE;
            bits -= Byte.SIZE;
          }
        }
      }
      if (bits > 0) {
        data.writeByte((byte) word);
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try (postings;
        data;
        meta) {
      meta.writeInt(-1);
      CodecUtil.writeFooter(meta);
      CodecUtil.writeFooter(data);
    }
  }
}
