package dev.holdfast.search.fielduse;

import dev.holdfast.search.fielduse.FieldUse.Structure;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import org.apache.lucene.index.FilterLeafReader.FilterTerms;
import org.apache.lucene.index.FilterLeafReader.FilterTermsEnum;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.jspecify.annotations.Nullable;

/// The terms of a field, which note what of their postings is asked for. Whoever goes through them
/// ends when the search does.
final class FieldUseTerms extends FilterTerms {
  private final String field;

  FieldUseTerms(Terms in, String field) {
    super(in);
    this.field = field;
  }

  @Override
  public TermsEnum iterator() throws IOException {
    return noting(in.iterator());
  }

  @Override
  public TermsEnum intersect(CompiledAutomaton automaton, @Nullable BytesRef start)
      throws IOException {
    return noting(in.intersect(automaton, start));
  }

  @Override
  public @Nullable BytesRef getMin() throws IOException {
    return in.getMin();
  }

  @Override
  public @Nullable BytesRef getMax() throws IOException {
    return in.getMax();
  }

  private TermsEnum noting(TermsEnum terms) {
    return new FilterTermsEnum(terms) {
      @Override
      public @Nullable BytesRef next() throws IOException {
        StopSignal.poll();
        return in.next();
      }

      @Override
      public boolean seekExact(BytesRef term) throws IOException {
        StopSignal.poll();
        return in.seekExact(term);
      }

      @Override
      public SeekStatus seekCeil(BytesRef term) throws IOException {
        StopSignal.poll();
        return in.seekCeil(term);
      }

      @Override
      public PostingsEnum postings(@Nullable PostingsEnum reuse, int flags) throws IOException {
        note(flags);
        return in.postings(reuse, flags);
      }

      @Override
      public ImpactsEnum impacts(int flags) throws IOException {
        note(flags);
        return in.impacts(flags);
      }
    };
  }

  private void note(int flags) {
    FieldUse.mark(field, Structure.POSTINGS);
    note(flags, PostingsEnum.FREQS, Structure.TERM_FREQUENCIES);
    note(flags, PostingsEnum.POSITIONS, Structure.POSITIONS);
    note(flags, PostingsEnum.OFFSETS, Structure.OFFSETS);
    note(flags, PostingsEnum.PAYLOADS, Structure.PAYLOADS);
    if (PostingsEnum.featureRequested(flags, PostingsEnum.POSITIONS)) {
      FieldUse.mark(field, Structure.PROXIMITY);
    }
  }

  private void note(int flags, short feature, Structure structure) {
    if (PostingsEnum.featureRequested(flags, feature)) {
      FieldUse.mark(field, structure);
    }
  }
}
