package dev.holdfast.codec.terms;

import java.io.IOException;
import org.apache.lucene.index.BaseTermsEnum;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Goes through terms that have no postings of their own.
public final class PackedTermsEnum extends BaseTermsEnum {
  private final PackedTermsReader terms;
  private long ordinal = -1;

  /// @param terms of nobody else
  public PackedTermsEnum(PackedTermsReader terms) {
    this.terms = terms;
  }

  @Override
  public @Nullable BytesRef next() throws IOException {
    if (ordinal + 1 >= terms.size()) {
      return null;
    }
    ordinal++;
    return term();
  }

  @Override
  public SeekStatus seekCeil(BytesRef text) throws IOException {
    ordinal = terms.ceiling(text);
    if (ordinal == terms.size()) {
      return SeekStatus.END;
    }
    return term().equals(text) ? SeekStatus.FOUND : SeekStatus.NOT_FOUND;
  }

  @Override
  public void seekExact(long ord) {
    ordinal = ord;
  }

  @Override
  public BytesRef term() throws IOException {
    return terms.term(ordinal);
  }

  @Override
  public long ord() {
    return ordinal;
  }

  @Override
  public int docFreq() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long totalTermFreq() {
    throw new UnsupportedOperationException();
  }

  @Override
  public PostingsEnum postings(@Nullable PostingsEnum reuse, int flags) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ImpactsEnum impacts(int flags) {
    throw new UnsupportedOperationException();
  }
}
