package dev.holdfast.codec.bloom;

import java.io.IOException;
import org.apache.lucene.index.BaseTermsEnum;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.AttributeSource;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOBooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The terms of a field behind its bloom filter: an exact look-up of an absent term ends at the
/// filter, before Lucene's own look-up is even set up.
final class BloomTermsEnum extends BaseTermsEnum {
  private final Terms terms;
  private final RandomAccessInput filter;
  private final int blocks;
  private @Nullable TermsEnum found;

  BloomTermsEnum(Terms terms, RandomAccessInput filter, int blocks) {
    this.terms = terms;
    this.filter = filter;
    this.blocks = blocks;
  }

  private TermsEnum in() throws IOException {
    TermsEnum in = found;
    if (in == null) {
      in = terms.iterator();
      found = in;
    }
    return in;
  }

  @Override
  public boolean seekExact(BytesRef term) throws IOException {
    return BloomFilter.mayContain(filter, blocks, TermHash.of(term)) && in().seekExact(term);
  }

  @Override
  public @Nullable IOBooleanSupplier prepareSeekExact(BytesRef term) throws IOException {
    return BloomFilter.mayContain(filter, blocks, TermHash.of(term))
        ? in().prepareSeekExact(term)
        : null;
  }

  @Override
  public SeekStatus seekCeil(BytesRef term) throws IOException {
    return in().seekCeil(term);
  }

  @Override
  public void seekExact(long ord) throws IOException {
    in().seekExact(ord);
  }

  @Override
  public void seekExact(BytesRef term, TermState state) throws IOException {
    in().seekExact(term, state);
  }

  @Override
  public @Nullable BytesRef next() throws IOException {
    return in().next();
  }

  @Override
  public BytesRef term() throws IOException {
    return in().term();
  }

  @Override
  public long ord() throws IOException {
    return in().ord();
  }

  @Override
  public int docFreq() throws IOException {
    return in().docFreq();
  }

  @Override
  public long totalTermFreq() throws IOException {
    return in().totalTermFreq();
  }

  @Override
  public PostingsEnum postings(@Nullable PostingsEnum reuse, int flags) throws IOException {
    return in().postings(reuse, flags);
  }

  @Override
  public ImpactsEnum impacts(int flags) throws IOException {
    return in().impacts(flags);
  }

  @Override
  public TermState termState() throws IOException {
    return in().termState();
  }

  @Override
  public AttributeSource attributes() {
    return found == null ? super.attributes() : found.attributes();
  }
}
