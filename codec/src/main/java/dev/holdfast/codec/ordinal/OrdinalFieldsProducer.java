package dev.holdfast.codec.ordinal;

import static dev.holdfast.codec.ordinal.OrdinalPostingsFormat.*;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsReader;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.FileTypeHint;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.packed.DirectMonotonicReader;
import org.jspecify.annotations.Nullable;

/// Reads postings whose terms are those of doc values, which it opens for itself.
final class OrdinalFieldsProducer extends FieldsProducer {
  private final Map<String, OrdinalTerms> fields = new TreeMap<>();
  private final int maxDoc;
  private final Lucene104PostingsReader postings;
  private final IndexInput data;
  private final DocValuesProducer values;

  OrdinalFieldsProducer(SegmentReadState state) throws IOException {
    maxDoc = state.segmentInfo.maxDoc();
    List<AutoCloseable> opened = new ArrayList<>();
    try {
      postings = new Lucene104PostingsReader(state);
      opened.add(postings);
      data =
          state.directory.openInput(
              name(state, DATA_EXTENSION), state.context.withHints(FileTypeHint.DATA));
      opened.add(data);
      CodecUtil.checkIndexHeader(
          data,
          DATA_CODEC,
          VERSION_FIRST,
          VERSION_LAST,
          state.segmentInfo.getId(),
          state.segmentSuffix);
      CodecUtil.retrieveChecksum(data);
      values =
          state
              .segmentInfo
              .getCodec()
              .docValuesFormat()
              .fieldsProducer(
                  new SegmentReadState(
                      state.directory, state.segmentInfo, state.fieldInfos, state.context));
      opened.add(values);
      readMeta(state);
    } catch (Throwable failed) {
      for (AutoCloseable one : opened) {
        try {
          one.close();
        } catch (Exception alsoFailed) {
          failed.addSuppressed(alsoFailed);
        }
      }
      throw failed;
    }
  }

  private static String name(SegmentReadState state, String extension) {
    return IndexFileNames.segmentFileName(state.segmentInfo.name, state.segmentSuffix, extension);
  }

  private void readMeta(SegmentReadState state) throws IOException {
    try (ChecksumIndexInput meta = state.directory.openChecksumInput(name(state, META_EXTENSION))) {
      Throwable damage = null;
      try {
        CodecUtil.checkIndexHeader(
            meta,
            META_CODEC,
            VERSION_FIRST,
            VERSION_LAST,
            state.segmentInfo.getId(),
            state.segmentSuffix);
        postings.init(meta, state);
        for (int number = meta.readInt(); number != -1; number = meta.readInt()) {
          FieldInfo field = state.fieldInfos.fieldInfo(number);
          OrdinalField known = OrdinalField.read(meta);
          if (field == null
              || known.documents() > maxDoc
              || known.tableStart() > data.length()
              || known.tableLength() > data.length() - known.tableStart()) {
            throw new CorruptIndexException("damaged field " + known, meta);
          }
          fields.put(field.name, new OrdinalTerms(field, known));
        }
      } catch (Throwable failed) {
        damage = failed;
      } finally {
        CodecUtil.checkFooter(meta, damage);
      }
    }
  }

  @Override
  public Iterator<String> iterator() {
    return Collections.unmodifiableSet(fields.keySet()).iterator();
  }

  @Override
  public @Nullable Terms terms(String field) {
    return fields.get(field);
  }

  @Override
  public int size() {
    return fields.size();
  }

  @Override
  public void checkIntegrity() throws IOException {
    postings.checkIntegrity();
    CodecUtil.checksumEntireFile(data);
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(postings, data, values);
  }

  private final class OrdinalTerms extends Terms {
    private final FieldInfo field;
    private final OrdinalField known;

    OrdinalTerms(FieldInfo field, OrdinalField known) {
      this.field = field;
      this.known = known;
    }

    @Override
    public TermsEnum iterator() throws IOException {
      boolean isSet = field.getDocValuesType() == DocValuesType.SORTED_SET;
      long terms =
          isSet
              ? values.getSortedSet(field).getValueCount()
              : values.getSorted(field).getValueCount();
      if (terms != known.terms()) {
        throw new CorruptIndexException(
            "postings of "
                + known.terms()
                + " terms beside values of "
                + terms
                + " [field="
                + field.name
                + "]",
            data);
      }
      DirectMonotonicReader starts =
          DirectMonotonicReader.getInstance(
              known.table(), data.randomAccessSlice(known.tableStart(), known.tableLength()));
      OrdinalBlocks blocks =
          new OrdinalBlocks(field, known, data.clone(), starts, maxDoc, postings);
      return new OrdinalTermsEnum(
          field,
          isSet ? values.getSortedSet(field).termsEnum() : values.getSorted(field).termsEnum(),
          blocks,
          postings);
    }

    @Override
    public long size() {
      return known.terms();
    }

    @Override
    public long getSumTotalTermFreq() {
      return known.sumTotalTermFreq();
    }

    @Override
    public long getSumDocFreq() {
      return known.sumDocFreq();
    }

    @Override
    public int getDocCount() {
      return known.documents();
    }

    @Override
    public boolean hasFreqs() {
      return field.getIndexOptions().compareTo(IndexOptions.DOCS_AND_FREQS) >= 0;
    }

    @Override
    public boolean hasOffsets() {
      return false;
    }

    @Override
    public boolean hasPositions() {
      return field.getIndexOptions().compareTo(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS) >= 0;
    }

    @Override
    public boolean hasPayloads() {
      return field.hasPayloads();
    }
  }
}
