package dev.holdfast.codec.ordinal;

import static dev.holdfast.codec.ordinal.OrdinalPostingsFormat.*;

import java.io.IOException;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.LongValues;
import org.jspecify.annotations.Nullable;

/// Where the postings of each term of a field are, by its ordinal: a block is read as a whole, and
/// kept until another is wanted.
final class OrdinalBlocks {
  private final FieldInfo field;
  private final boolean hasFreqs;
  private final IndexInput data;
  private final LongValues starts;
  private final long terms;
  private final int documentBits;
  private final Lucene104PostingsReader postings;
  private final IntBlockTermState[] states = new IntBlockTermState[BLOCK_SIZE];
  private long block = -1;

  OrdinalBlocks(
      FieldInfo field,
      IndexInput data,
      LongValues starts,
      long terms,
      int documentBits,
      Lucene104PostingsReader postings) {
    this.field = field;
    this.hasFreqs = field.getIndexOptions() != IndexOptions.DOCS;
    this.data = data;
    this.starts = starts;
    this.terms = terms;
    this.documentBits = documentBits;
    this.postings = postings;
  }

  /// Must not be changed.
  IntBlockTermState state(long ordinal) throws IOException {
    long wanted = ordinal >>> BLOCK_SHIFT;
    if (wanted != block) {
      block = -1; // what was read is of no block if reading fails
      read(wanted);
      block = wanted;
    }
    return states[(int) ordinal & (BLOCK_SIZE - 1)];
  }

  private void read(long wanted) throws IOException {
    data.seek(starts.get(wanted));
    int count = (int) Math.min(BLOCK_SIZE, terms - (wanted << BLOCK_SHIFT));
    long singles = data.readLong();
    readSingles(singles, count);
    IntBlockTermState before = null;
    for (int i = 0; i < count; i++) {
      if (((singles >>> i) & 1) == 0) {
        before = states[i] = next(before);
      }
    }
  }

  private void readSingles(long singles, int count) throws IOException {
    long word = 0;
    int bits = 0;
    long mask = (1L << documentBits) - 1;
    for (int i = 0; i < count; i++) {
      if (((singles >>> i) & 1) != 0) {
        while (bits < documentBits) {
          word |= (data.readByte() & 0xFFL) << bits;
          bits += Byte.SIZE;
        }
        IntBlockTermState state = new IntBlockTermState();
        state.docFreq = 1;
        state.totalTermFreq = 1;
        state.singletonDocID = (int) (word & mask);
        word >>>= documentBits;
        bits -= documentBits;
        states[i] = state;
      }
    }
  }

  /// @param before in the block; null for the first
  private IntBlockTermState next(@Nullable IntBlockTermState before) throws IOException {
    IntBlockTermState state = new IntBlockTermState();
    if (before != null) {
      state.copyFrom(before);
    }
    state.docFreq = data.readVInt();
    state.totalTermFreq = hasFreqs ? state.docFreq + data.readVLong() : state.docFreq;
    postings.decodeTerm(data, field, state, before == null);
    return state;
  }
}
