package dev.holdfast.codec.docvalues;

import static dev.holdfast.codec.docvalues.HoldfastDocValuesFormat.*;

import dev.holdfast.codec.terms.PackedTermsWriter;
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
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;

/// Writes single-valued numeric columns in blocks, and columns of terms where the layout has them;
/// hands everything else to Lucene's writer.
final class HoldfastDocValuesConsumer extends DocValuesConsumer {
  private final DocValuesConsumer others;
  private final IndexOutput data;
  private final IndexOutput meta;
  private final int documents;
  private final ColumnLayout layout;
  private boolean isClosed;

  HoldfastDocValuesConsumer(DocValuesConsumer others, SegmentWriteState state, ColumnLayout layout)
      throws IOException {
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
            return single == null ? SingleNumbers.values(sorted) : single;
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

  /// Values of a column, each time from the first.
  @FunctionalInterface
  private interface Numbers {
    NumericDocValues open() throws IOException;
  }

  private void write(FieldInfo field, DocValuesProducer producer) throws IOException {
    NumericColumn column = column(field, () -> producer.getNumeric(field), documents);
    meta.writeInt(field.number);
    if (layout.hasTerms) {
      meta.writeByte(PackedTermColumn.NUMBERS);
    }
    column.write(meta);
  }

  /// @param places how many may have a value
  private NumericColumn column(FieldInfo field, Numbers numbers, long places) throws IOException {
    NumericStatistics statistics = NumericStatistics.of(numbers.open());
    long docsOffset = statistics.values() == 0 ? NumericColumn.NONE : NumericColumn.ALL;
    long docsLength = 0;
    short jumpEntries = 0;
    if (statistics.values() > 0 && statistics.values() < places) {
      docsOffset = data.getFilePointer();
      jumpEntries = NumericDocs.write(numbers.open(), data);
      docsLength = data.getFilePointer() - docsOffset;
    }
    ColumnBlockWriter blocks = layout.writer(data, statistics.values(), statistics.divisor());
    NumericDocValues values = numbers.open();
    while (values.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      blocks.add(values.longValue());
    }
    blocks.finish();
    return new NumericColumn(
        field.number,
        docsOffset,
        docsLength,
        jumpEntries,
        statistics.values(),
        statistics.divisor(),
        blocks.start(),
        blocks.end());
  }

  @Override
  public void addBinaryField(FieldInfo field, DocValuesProducer values) throws IOException {
    others.addBinaryField(field, values);
  }

  @Override
  public void addSortedField(FieldInfo field, DocValuesProducer values) throws IOException {
    if (!hasTerms(field) || values.getSorted(field).getValueCount() == 0) {
      others.addSortedField(field, values);
      return;
    }
    writeSingle(field, () -> values.getSorted(field));
  }

  /// Lucene's skip index is over ordinals that Lucene has.
  private boolean hasTerms(FieldInfo field) {
    return layout.hasTerms && field.docValuesSkipIndexType() == DocValuesSkipIndexType.NONE;
  }

  /// Terms of a column, each time from the first document.
  @FunctionalInterface
  private interface SingleTerms {
    SortedDocValues open() throws IOException;
  }

  private void writeSingle(FieldInfo field, SingleTerms values) throws IOException {
    NumericColumn ordinals = column(field, () -> SingleNumbers.ordinals(values.open()), documents);
    meta.writeInt(field.number);
    meta.writeByte(PackedTermColumn.SINGLE_TERMS);
    ordinals.write(meta);
    writeTerms(values.open().termsEnum());
  }

  private void writeTerms(TermsEnum terms) throws IOException {
    try (PackedTermsWriter writer = new PackedTermsWriter(data, meta)) {
      writer.write(terms);
    }
  }

  @Override
  public void addSortedSetField(FieldInfo field, DocValuesProducer values) throws IOException {
    long ordinals = hasTerms(field) ? ordinals(values.getSortedSet(field)) : 0;
    if (ordinals == 0 || ordinals > Integer.MAX_VALUE) {
      others.addSortedSetField(field, values);
    } else if (isSingleValued(values.getSortedSet(field))) {
      writeSingle(field, () -> single(values.getSortedSet(field)));
    } else {
      NumericColumn starts =
          column(field, () -> new SetOrdinals.Starts(values.getSortedSet(field)), documents);
      NumericColumn flat =
          column(field, () -> new SetOrdinals.Flat(values.getSortedSet(field)), ordinals);
      meta.writeInt(field.number);
      meta.writeByte(PackedTermColumn.TERMS);
      starts.write(meta);
      flat.write(meta);
      writeTerms(values.getSortedSet(field).termsEnum());
    }
  }

  private static SortedDocValues single(SortedSetDocValues values) {
    SortedDocValues single = DocValues.unwrapSingleton(values);
    return single == null ? SortedSetSelector.wrap(values, SortedSetSelector.Type.MIN) : single;
  }

  private static long ordinals(SortedSetDocValues values) throws IOException {
    long count = 0;
    while (values.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      count += values.docValueCount();
    }
    return count;
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
