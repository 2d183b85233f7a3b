package dev.holdfast.codec.docvalues;

import static dev.holdfast.codec.docvalues.HoldfastDocValuesFormat.*;

import java.io.IOException;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.DocValuesConsumer;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.DocValuesSkipIndexType;
import org.apache.lucene.index.EmptyDocValuesProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;

/// Writes single-valued numeric columns in blocks, and ordinals where the layout has them; hands
/// everything else to Lucene's writer.
final class HoldfastDocValuesConsumer extends DocValuesConsumer {
  private final DocValuesConsumer others;
  private final IndexOutput data;
  private final IndexOutput meta;
  private final int documents;
  private final ColumnLayout layout;
  private boolean isClosed;

  HoldfastDocValuesConsumer(
      DocValuesConsumer others, SegmentWriteState state, ColumnLayout layout) throws IOException {
    this.others = others;
    this.layout = layout;
    this.documents = state.segmentInfo.maxDoc();
    this.data = create(state, DATA_EXTENSION, DATA_CODEC);
    try {
      this.meta = create(state, META_EXTENSION, META_CODEC);
    } catch (Throwable failed) {
      IOUtils.closeWhileSuppressingExceptions(failed, data);
      throw failed;
    }
  }

  private static IndexOutput create(SegmentWriteState state, String extension, String codec)
      throws IOException {
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
  public void addNumericField(FieldInfo field, DocValuesProducer values) throws IOException {
    if (field.docValuesSkipIndexType() != DocValuesSkipIndexType.NONE) {
      SkipIndexOnly skipIndex = new SkipIndexOnly(values);
      others.addNumericField(field, skipIndex);
      skipIndex.verify(field);
    }
    write(field, values);
  }

  @Override
  public void addSortedNumericField(FieldInfo field, DocValuesProducer values) throws IOException {
    if (!isSingleValued(values.getSortedNumeric(field))) {
      others.addSortedNumericField(field, values);
      return;
    }
    if (field.docValuesSkipIndexType() != DocValuesSkipIndexType.NONE) {
      SkipIndexOnly skipIndex = new SkipIndexOnly(values);
      others.addSortedNumericField(field, skipIndex);
      skipIndex.verify(field);
    }
    write(
        field,
        new EmptyDocValuesProducer() {
          @Override
          public NumericDocValues getNumeric(FieldInfo numeric) throws IOException {
            SortedNumericDocValues sorted = values.getSortedNumeric(numeric);
            NumericDocValues single = DocValues.unwrapSingleton(sorted);
            return single == null ? new SingleValues(sorted) : single;
          }
        });
  }

  private static boolean isSingleValued(SortedNumericDocValues values) throws IOException {
    if (DocValues.unwrapSingleton(values) != null) {
      return true;
    }
    while (values.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      if (values.docValueCount() > 1) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSingleValued(SortedSetDocValues values) throws IOException {
    if (DocValues.unwrapSingleton(values) != null) {
      return true;
    }
    while (values.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      if (values.docValueCount() > 1) {
        return false;
      }
    }
    return true;
  }

  private void write(FieldInfo field, DocValuesProducer producer) throws IOException {
    NumericStatistics statistics = NumericStatistics.of(producer.getNumeric(field));
    long docsOffset = statistics.values() == 0 ? NumericColumn.NONE : NumericColumn.ALL;
    long docsLength = 0;
    short jumpEntries = 0;
    if (statistics.values() > 0 && statistics.values() < documents) {
      docsOffset = data.getFilePointer();
      jumpEntries = NumericDocs.write(producer.getNumeric(field), data);
      docsLength = data.getFilePointer() - docsOffset;
    }
    ColumnBlockWriter blocks =
        layout.writer(data, statistics.values(), statistics.divisor());
    NumericDocValues values = producer.getNumeric(field);
    while (values.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      blocks.add(values.longValue());
    }
    blocks.finish();
    new NumericColumn(
            field.number,
            docsOffset,
            docsLength,
            jumpEntries,
            statistics.values(),
            statistics.divisor(),
            blocks.start(),
            blocks.end())
        .write(meta);
  }

  @Override
  public void addBinaryField(FieldInfo field, DocValuesProducer values) throws IOException {
    others.addBinaryField(field, values);
  }

  @Override
  public void addSortedField(FieldInfo field, DocValuesProducer values) throws IOException {
    if (hasOrdinals(field)) {
      TermsOnly terms = new TermsOnly(values, false);
      others.addSortedField(field, terms);
      write(field, terms.ordinals());
    } else {
      others.addSortedField(field, values);
    }
  }

  /// Lucene's skip index is over ordinals that Lucene has.
  private boolean hasOrdinals(FieldInfo field) {
    return layout.hasOrdinals && field.docValuesSkipIndexType() == DocValuesSkipIndexType.NONE;
  }

  @Override
  public void addSortedSetField(FieldInfo field, DocValuesProducer values) throws IOException {
    if (hasOrdinals(field) && isSingleValued(values.getSortedSet(field))) {
      TermsOnly terms = new TermsOnly(values, true);
      others.addSortedSetField(field, terms);
      write(field, terms.ordinals());
    } else {
      others.addSortedSetField(field, values);
    }
  }

  @Override
  public void close() throws IOException {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try (others;
        data;
        meta) {
      meta.writeInt(-1);
      CodecUtil.writeFooter(meta);
      CodecUtil.writeFooter(data);
    }
  }
}
