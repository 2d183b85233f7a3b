package dev.holdfast.codec.bloom;

import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.FileTypeHint;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/// Reads postings behind their bloom filters. Filters stay in the file; a look-up reads one cache
/// line of them.
final class BloomFieldsProducer extends FieldsProducer {
  private record Filter(long offset, int blocks) {}

  private final FieldsProducer postings;
  private final IndexInput in;
  private final Map<String, Filter> filters = new TreeMap<>();

  BloomFieldsProducer(FieldsProducer postings, SegmentReadState state) throws IOException {
    this.postings = postings;
    String name =
        IndexFileNames.segmentFileName(
            state.segmentInfo.name, state.segmentSuffix, BloomFile.EXTENSION);
    this.in =
        state.directory.openInput(
            name, state.context.withHints(FileTypeHint.INDEX, DataAccessHint.RANDOM));
    try {
      CodecUtil.checkIndexHeader(
          in,
          BloomFile.CODEC,
          BloomFile.VERSION_FIRST,
          BloomFile.VERSION_LAST,
          state.segmentInfo.getId(),
          state.segmentSuffix);
      CodecUtil.retrieveChecksum(in);
      readDirectory(state);
    } catch (Throwable failed) {
      IOUtils.closeWhileSuppressingExceptions(failed, in);
      throw failed;
    }
  }

  private void readDirectory(SegmentReadState state) throws IOException {
    long end = in.length() - CodecUtil.footerLength() - Long.BYTES;
    in.seek(end);
    in.seek(in.readLong());
    for (int count = in.readVInt(); count > 0; count--) {
      FieldInfo field = state.fieldInfos.fieldInfo(in.readVInt());
      Filter filter = new Filter(in.readVLong(), in.readVInt());
      long bytes = (long) filter.blocks() * BloomFilter.BLOCK_BYTES;
      if (field == null || filter.blocks() < 1 || filter.offset() + bytes > end) {
        throw new CorruptIndexException("damaged directory of bloom filters", in);
      }
      filters.put(field.name, filter);
    }
  }

  @Override
  public @Nullable Terms terms(String field) throws IOException {
    Terms terms = postings.terms(field);
    Filter filter = filters.get(field);
    return terms == null || filter == null ? terms : new Filtered(terms, filter);
  }

  @Override
  public Iterator<String> iterator() {
    return postings.iterator();
  }

  @Override
  public int size() {
    return postings.size();
  }

  @Override
  public void checkIntegrity() throws IOException {
    postings.checkIntegrity();
    CodecUtil.checksumEntireFile(in);
  }

  @Override
  public FieldsProducer getMergeInstance() {
    return postings.getMergeInstance();
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(postings, in);
  }

  private final class Filtered extends FilterLeafReader.FilterTerms {
    private final Filter filter;

    Filtered(Terms terms, Filter filter) {
      super(terms);
      this.filter = filter;
    }

    @Override
    public TermsEnum iterator() throws IOException {
      long bytes = (long) filter.blocks() * BloomFilter.BLOCK_BYTES;
      IndexInput file = BloomFieldsProducer.this.in;
      return new BloomTermsEnum(
          in, file.randomAccessSlice(filter.offset(), bytes), filter.blocks());
    }
  }
}
