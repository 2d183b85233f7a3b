package dev.holdfast.codec.ordinal;

import java.io.IOException;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsReader;
import org.apache.lucene.index.BaseTermsEnum;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.OrdTermState;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// Terms of doc values, with the postings of their ordinals.
final class OrdinalTermsEnum extends BaseTermsEnum {
  private final FieldInfo field;
  private final TermsEnum terms;
  private final OrdinalBlocks blocks;
  private final Lucene104PostingsReader postings;

  /// Of the term that is looked at.
  private long ordinal = -1;

  /// Whether the doc values' own are there, too.
  private boolean isThere = true;

  OrdinalTermsEnum(
      FieldInfo field, TermsEnum terms, OrdinalBlocks blocks, Lucene104PostingsReader postings) {
    this.field = field;
    this.terms = terms;
    this.blocks = blocks;
    this.postings = postings;
  }

  @Override
  public @Nullable BytesRef next() throws IOException {
    goThere();
    BytesRef next = terms.next();
    ordinal = next == null ? -1 : terms.ord();
    return next;
  }

  private void goThere() throws IOException {
    if (!isThere) {
      terms.seekExact(ordinal);
      isThere = true;
    }
  }

  @Override
  public SeekStatus seekCeil(BytesRef text) throws IOException {
    isThere = true;
    SeekStatus status = terms.seekCeil(text);
    ordinal = status == SeekStatus.END ? -1 : terms.ord();
    return status;
  }

  @Override
  public boolean seekExact(BytesRef text) throws IOException {
    return seekCeil(text) == SeekStatus.FOUND;
  }

  @Override
  public void seekExact(long ord) {
    ordinal = ord;
    isThere = false;
  }

  /// Without looking for the term: who has its state needs its postings only.
  @Override
  public void seekExact(BytesRef term, TermState state) throws IOException {
    if (state instanceof OrdTermState known) {
      seekExact(known.ord);
    } else {
      super.seekExact(term, state);
    }
  }

  @Override
  public TermState termState() {
    OrdTermState state = new OrdTermState();
    state.ord = ordinal;
    return state;
  }

  @Override
  public BytesRef term() throws IOException {
    goThere();
    return terms.term();
  }

  @Override
  public long ord() {
    return ordinal;
  }

  @Override
  public int docFreq() throws IOException {
    return blocks.state(ordinal).docFreq;
  }

  @Override
  public long totalTermFreq() throws IOException {
    return blocks.state(ordinal).totalTermFreq;
  }

  @Override
  public PostingsEnum postings(@Nullable PostingsEnum reuse, int flags) throws IOException {
    return postings.postings(field, blocks.state(ordinal), reuse, flags);
  }

  @Override
  public ImpactsEnum impacts(int flags) throws IOException {
    return postings.impacts(field, blocks.state(ordinal), flags);
  }
}
