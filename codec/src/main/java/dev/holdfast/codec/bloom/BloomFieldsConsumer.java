package dev.holdfast.codec.bloom;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/// Writes postings, and a bloom filter of each field's terms, which it sees as they pass by.
final class BloomFieldsConsumer extends FieldsConsumer {
  private record Written(FieldInfo field, long offset, int blocks) {}

  private final FieldsConsumer postings;
  private final SegmentWriteState state;
  private final IndexOutput out;
  private final List<Written> directory = new ArrayList<>();
  private final boolean isCompact;
  private boolean isClosed;

  /// @param isCompact whether ids that lie close together have no filter
  BloomFieldsConsumer(FieldsConsumer postings, SegmentWriteState state, boolean isCompact)
      throws IOException {
    this.postings = postings;
    this.state = state;
    this.isCompact = isCompact;
    String name =
        IndexFileNames.segmentFileName(
            state.segmentInfo.name, state.segmentSuffix, BloomFile.EXTENSION);
    this.out = state.directory.createOutput(name, state.context);
    try {
      CodecUtil.writeIndexHeader(
          out,
          BloomFile.CODEC,
          BloomFile.VERSION_LAST,
          state.segmentInfo.getId(),
          state.segmentSuffix);
    } catch (Throwable failed) {
      IOUtils.closeWhileSuppressingExceptions(failed, out);
      throw failed;
    }
  }

  @Override
  public void write(Fields fields, NormsProducer norms) throws IOException {
    Watched watched = new Watched(fields);
    postings.write(watched, norms);
    for (Watching watching : watched.watching) {
      if (isCompact && watching.neighbours.areClose()) {
        continue; // the index of the terms tells as fast that an id is not among them
      }
      FieldInfo field = state.fieldInfos.fieldInfo(watching.field);
      out.alignFilePointer(BloomFilter.BLOCK_BYTES);
      directory.add(
          new Written(
              java.util.Objects.requireNonNull(field),
              out.getFilePointer(),
              watching.filter.blocks()));
      watching.filter.write(out);
    }
  }

  @Override
  public void close() throws IOException {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try (postings;
        out) {
      long start = out.getFilePointer();
      out.writeVInt(directory.size());
      for (Written written : directory) {
        out.writeVInt(written.field().number);
        out.writeVLong(written.offset());
        out.writeVInt(written.blocks());
      }
      out.writeLong(start);
      CodecUtil.writeFooter(out);
    }
  }

  private final class Watched extends FilterLeafReader.FilterFields {
    final List<Watching> watching = new ArrayList<>();

    Watched(Fields fields) {
      super(fields);
    }

    @Override
    public @Nullable Terms terms(String field) throws IOException {
      Terms terms = in.terms(field);
      if (terms == null) {
        return null;
      }
      // An id has one document, so a segment has no more ids than documents.
      Watching watched = new Watching(field, terms, new BloomFilter(state.segmentInfo.maxDoc()));
      watching.removeIf(before -> before.field.equals(field));
      watching.add(watched);
      return watched;
    }
  }

  private static final class Watching extends FilterLeafReader.FilterTerms {
    final String field;
    final BloomFilter filter;
    final NeighbouringIds neighbours = new NeighbouringIds();

    Watching(String field, Terms terms, BloomFilter filter) {
      super(terms);
      this.field = field;
      this.filter = filter;
    }

    @Override
    public TermsEnum iterator() throws IOException {
      return new FilterLeafReader.FilterTermsEnum(in.iterator()) {
        @Override
        public @Nullable BytesRef next() throws IOException {
          BytesRef term = in.next();
          if (term != null) {
            filter.add(TermHash.of(term));
            neighbours.add(term);
          }
          return term;
        }
      };
    }
  }
}
