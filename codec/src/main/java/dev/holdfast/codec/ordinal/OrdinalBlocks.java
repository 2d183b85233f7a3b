package dev.holdfast.codec.ordinal;

import static dev.holdfast.codec.ordinal.OrdinalPostingsFormat.*;

import java.io.IOException;
import java.util.Locale;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsReader;
import org.apache.lucene.index.CorruptIndexException;
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
  private final OrdinalField known;
  private final LongValues starts;
  private final int maxDoc;
  private final int documentBits;
  private final Lucene104PostingsReader postings;
  private final IntBlockTermState[] states = new IntBlockTermState[BLOCK_SIZE];
  private long block = -1;

  OrdinalBlocks(
      FieldInfo field,
      OrdinalField known,
      IndexInput data,
      LongValues starts,
      int maxDoc,
      Lucene104PostingsReader postings) {
    this.field = field;
    this.hasFreqs = field.getIndexOptions() != IndexOptions.DOCS;
    this.known = known;
    this.data = data;
    this.starts = starts;
    this.maxDoc = maxDoc;
    this.documentBits = documentBits(maxDoc);
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
    boolean isLast = wanted + 1 == OrdinalField.blocks(known.terms());
    long start = starts.get(wanted);
    long end = isLast ? known.tableStart() : starts.get(wanted + 1);
    if (start < 0 || start >= end || end > known.tableStart()) {
      throw damage("a block from " + start + " to " + end);
    }
    data.seek(start);
    int count = (int) Math.min(BLOCK_SIZE, known.terms() - (wanted << BLOCK_SHIFT));
    long singles = data.readLong();
    if (count < BLOCK_SIZE && singles >>> count != 0) {
      throw damage("terms beyond the last");
    }
    readSingles(singles, count);
    IntBlockTermState before = null;
    for (int i = 0; i < count; i++) {
      if (((singles >>> i) & 1) == 0) {
        before = states[i] = next(before);
      }
    }
    if (data.getFilePointer() != end) {
      throw damage("a block that does not end at " + end);
    }
  }

  private CorruptIndexException damage(String what) {
    return new CorruptIndexException(
        String.format(Locale.ROOT, "damaged postings: %s [field=%s]", what, field.name), data);
  }

  private int requireDocument(int document) throws CorruptIndexException {
    if (document < 0 || document >= maxDoc) {
      throw damage("document " + document + " of " + maxDoc);
    }
    return document;
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
        state.singletonDocID = requireDocument((int) (word & mask));
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
    if (state.docFreq < 1 || state.docFreq > maxDoc || state.totalTermFreq < state.docFreq) {
      throw damage("a term of " + state.docFreq + " documents, " + state.totalTermFreq + " times");
    }
    postings.decodeTerm(data, field, state, before == null);
    if (state.docFreq == 1) {
      int _ = requireDocument(state.singletonDocID);
    }
    return state;
  }
}
