package dev.holdfast.codec.docvalues;

import static dev.holdfast.codec.docvalues.HoldfastDocValuesFormat.*;

import dev.holdfast.codec.terms.PackedTermsReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.FileTypeHint;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/// Reads numeric columns stored in blocks; asks Lucene's reader for everything else.
final class HoldfastDocValuesProducer extends DocValuesProducer {
  private final DocValuesProducer others;
  private final IndexInput data;
  private final Map<Integer, NumericColumn> columns = new HashMap<>();
  private final Map<Integer, PackedTermColumn> terms = new HashMap<>();
  private final int documents;
  private final ColumnLayout layout;

  HoldfastDocValuesProducer(DocValuesProducer others, SegmentReadState state, ColumnLayout layout)
      throws IOException {
    this.others = others;
    this.layout = layout;
    this.documents = state.segmentInfo.maxDoc();
    readColumns(state);
    this.data =
        state.directory.openInput(
            name(state, DATA_EXTENSION), state.context.withHints(FileTypeHint.DATA));
    try {
      checkHeader(data, DATA_CODEC, state);
      CodecUtil.retrieveChecksum(data);
      for (NumericColumn column : columns.values()) {
        requireWithin(column, documents);
      }
      for (PackedTermColumn column : terms.values()) {
        requireWithin(column);
      }
    } catch (Throwable failed) {
      IOUtils.closeWhileSuppressingExceptions(failed, data);
      throw failed;
    }
  }

  private void requireWithin(PackedTermColumn column) throws CorruptIndexException {
    NumericColumn starts = column.starts();
    if (starts == null) {
      requireWithin(column.ordinals(), documents);
    } else {
      requireWithin(starts, documents);
      requireWithin(column.ordinals(), column.ordinals().values());
    }
    if (column.terms().end() > data.length()) {
      throw new CorruptIndexException("terms beyond their file " + column, data);
    }
  }

  /// @param places how many may have a value
  private void requireWithin(NumericColumn column, int places) throws CorruptIndexException {
    long table = (long) column.blocks() * layout.entryBytes;
    boolean isSetThere =
        column.values() < places
            && column.docsOffset() >= 0
            && column.docsOffset() <= data.length()
            && column.docsLength() >= 0
            && column.docsLength() <= data.length() - column.docsOffset();
    if (column.docsOffset() == NumericColumn.ALL) {
      isSetThere = column.values() == places;
    } else if (column.docsOffset() == NumericColumn.NONE) {
      isSetThere = column.values() == 0;
    }
    if (!isSetThere || column.blocksOffset() < 0 || column.tableOffset() > data.length() - table) {
      throw new CorruptIndexException("column beyond its file " + column, data);
    }
  }

  private HoldfastDocValuesProducer(HoldfastDocValuesProducer producer) {
    this.others = producer.others.getMergeInstance();
    this.data = producer.data;
    this.columns.putAll(producer.columns);
    this.terms.putAll(producer.terms);
    this.documents = producer.documents;
    this.layout = producer.layout;
  }

  private void readColumns(SegmentReadState state) throws IOException {
    try (ChecksumIndexInput meta = state.directory.openChecksumInput(name(state, META_EXTENSION))) {
      Throwable damage = null;
      try {
        checkHeader(meta, META_CODEC, state);
        for (int field = meta.readInt(); field != -1; field = meta.readInt()) {
          byte kind = layout.hasTerms ? meta.readByte() : PackedTermColumn.NUMBERS;
          if (kind == PackedTermColumn.NUMBERS) {
            columns.put(field, NumericColumn.read(meta, field));
          } else {
            terms.put(field, PackedTermColumn.read(meta, field, kind));
          }
        }
      } catch (Throwable failed) {
        damage = failed;
      } finally {
        CodecUtil.checkFooter(meta, damage);
      }
    }
  }

  private static void checkHeader(IndexInput in, String codec, SegmentReadState state)
      throws IOException {
    CodecUtil.checkIndexHeader(
        in, codec, VERSION_FIRST, VERSION_LAST, state.segmentInfo.getId(), state.segmentSuffix);
  }

  private static String name(SegmentReadState state, String extension) {
    return IndexFileNames.segmentFileName(state.segmentInfo.name, state.segmentSuffix, extension);
  }

  @Override
  public NumericDocValues getNumeric(FieldInfo field) throws IOException {
    NumericColumn column = columns.get(field.number);
    return column == null ? others.getNumeric(field) : values(column);
  }

  private NumericDocValues values(NumericColumn column) throws IOException {
    if (column.docsOffset() == NumericColumn.NONE) {
      return DocValues.emptyNumeric();
    }
    ColumnBlocks blocks = layout.blocks(data, column);
    return column.docsOffset() == NumericColumn.ALL
        ? new DenseValues(blocks, documents)
        : new SparseValues(blocks, NumericDocs.read(data, column));
  }

  @Override
  public SortedNumericDocValues getSortedNumeric(FieldInfo field) throws IOException {
    return columns.containsKey(field.number)
        ? DocValues.singleton(getNumeric(field))
        : others.getSortedNumeric(field);
  }

  @Override
  public BinaryDocValues getBinary(FieldInfo field) throws IOException {
    return others.getBinary(field);
  }

  @Override
  public SortedDocValues getSorted(FieldInfo field) throws IOException {
    PackedTermColumn column = terms.get(field.number);
    return column == null ? others.getSorted(field) : single(column);
  }

  private SortedDocValues single(PackedTermColumn column) throws IOException {
    return new ColumnOrdinals(
        () -> new PackedTermsReader(column.terms(), data), values(column.ordinals()));
  }

  @Override
  public SortedSetDocValues getSortedSet(FieldInfo field) throws IOException {
    PackedTermColumn column = terms.get(field.number);
    if (column == null) {
      return others.getSortedSet(field);
    }
    NumericColumn starts = column.starts();
    if (starts == null) {
      return DocValues.singleton(single(column));
    }
    return new ColumnTermSets(
        () -> new PackedTermsReader(column.terms(), data),
        layout.blocks(data, starts),
        starts.values(),
        layout.blocks(data, column.ordinals()),
        column.ordinals().values(),
        documents,
        starts.docsOffset() == NumericColumn.ALL ? null : NumericDocs.read(data, starts));
  }

  @Override
  public @Nullable DocValuesSkipper getSkipper(FieldInfo field) throws IOException {
    return others.getSkipper(field);
  }

  @Override
  public void checkIntegrity() throws IOException {
    others.checkIntegrity();
    CodecUtil.checksumEntireFile(data);
  }

  @Override
  public DocValuesProducer getMergeInstance() {
    return new HoldfastDocValuesProducer(this);
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(others, data);
  }
}
