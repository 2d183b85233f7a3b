package dev.holdfast.codec.terms;

import static dev.holdfast.codec.terms.PackedTerms.*;

import java.io.IOException;
import org.apache.lucene.codecs.compressing.Decompressor;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;
import org.apache.lucene.util.LongValues;
import org.apache.lucene.util.packed.DirectMonotonicReader;

/// Terms by their ordinals, and the ordinals of terms. A block is decoded as a whole, and kept
/// until another is wanted.
public final class PackedTermsReader {
  /// Of a term: Lucene's own bound.
  private static final int TERM_LENGTH_MAX = 1 << 15;

  /// Of a block, with the two lengths of each term.
  private static final int BLOCK_LENGTH_MAX = BLOCK_SIZE * (TERM_LENGTH_MAX + 10);

  private final PackedTerms known;
  private final IndexInput data;
  private final RandomAccessInput separators;
  private final LongValues blockStarts;
  private final LongValues separatorStarts;
  private final Decompressor decompressor = ZSTD.newDecompressor();
  private final BytesRef raw = new BytesRef();
  private final BytesRefBuilder separator = new BytesRefBuilder();
  private final BytesRef found = new BytesRef();

  /// The terms of the block, whole, one after another.
  private byte[] bytes = BytesRef.EMPTY_BYTES;

  private final int[] starts = new int[BLOCK_SIZE + 1];
  private int inBlock;

  /// Of the next byte of [#raw].
  private int position;

  private long block = -1;

  /// @param data the file that has the terms; its place does not matter
  public PackedTermsReader(PackedTerms known, IndexInput data) throws IOException {
    this.known = known;
    this.data = data.clone();
    this.separators =
        data.randomAccessSlice(
            known.separatorsStart(), known.blocksStart() - known.separatorsStart());
    this.blockStarts =
        DirectMonotonicReader.getInstance(
            known.blocks(),
            data.randomAccessSlice(known.blocksStart(), known.startsStart() - known.blocksStart()));
    this.separatorStarts =
        DirectMonotonicReader.getInstance(
            known.separators(),
            data.randomAccessSlice(known.startsStart(), known.end() - known.startsStart()));
  }

  public long size() {
    return known.terms();
  }

  /// An ordinal that other bytes name.
  ///
  /// @throws CorruptIndexException when there is no such term
  public long require(long ordinal) throws CorruptIndexException {
    if (ordinal < 0 || ordinal >= known.terms()) {
      throw damage("no term has the ordinal " + ordinal);
    }
    return ordinal;
  }

  /// What to throw at damage of what belongs to these terms.
  public CorruptIndexException damage(String what) {
    return new CorruptIndexException(what + " [terms=" + known.terms() + "]", data);
  }

  /// The term of an ordinal, until the next call.
  public BytesRef term(long ordinal) throws IOException {
    long _ = require(ordinal);
    enter(ordinal >>> BLOCK_SHIFT);
    int at = (int) ordinal & (BLOCK_SIZE - 1);
    found.bytes = bytes;
    found.offset = starts[at];
    found.length = starts[at + 1] - starts[at];
    return found;
  }

  /// The ordinal of a term; where it would be, negative and less one, when there is none.
  public long lookup(BytesRef text) throws IOException {
    long at = ceiling(text);
    return at < size() && term(at).equals(text) ? at : -at - 1;
  }

  /// The ordinal of the least term that is not below a text; that of the end when there is none.
  public long ceiling(BytesRef text) throws IOException {
    long low = 0;
    long high = blocks(known.terms()) - 1;
    while (low < high) { // the last block whose separator is not above the text
      long middle = (low + high + 1) >>> 1;
      if (separator(middle).compareTo(text) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    enter(low);
    int from = 0;
    int to = inBlock;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (term((low << BLOCK_SHIFT) + middle).compareTo(text) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return (low << BLOCK_SHIFT) + from;
  }

  private BytesRef separator(long of) throws IOException {
    long start = separatorStarts.get(of);
    long length = separatorStarts.get(of + 1) - start;
    if (start < 0
        || length < 0
        || length > TERM_LENGTH_MAX
        || start + length > known.blocksStart() - known.separatorsStart()) {
      throw damage("damaged separator of " + length + " bytes at " + start);
    }
    separator.growNoCopy((int) length);
    separators.readBytes(start, separator.bytes(), 0, (int) length);
    separator.setLength((int) length);
    return separator.get();
  }

  private void enter(long wanted) throws IOException {
    if (wanted == block) {
      return;
    }
    block = -1; // what is decoded is of no block if reading fails
    long start = blockStarts.get(wanted);
    boolean isLast = wanted + 1 == blocks(known.terms());
    long end = isLast ? known.separatorsStart() : blockStarts.get(wanted + 1);
    if (start < 0 || start >= end || end > known.separatorsStart()) {
      throw damage("damaged table of terms, block from " + start + " to " + end);
    }
    data.seek(start);
    read();
    if (data.getFilePointer() != end) {
      throw damage("block of terms does not end where the next begins, " + start + " to " + end);
    }
    inBlock = (int) Math.min(BLOCK_SIZE, known.terms() - (wanted << BLOCK_SHIFT));
    unfold();
    block = wanted;
  }

  private void read() throws IOException {
    long head = data.readVLong();
    if (head >>> 1 > BLOCK_LENGTH_MAX) {
      throw damage("block of terms is too long, " + (head >>> 1) + " bytes");
    }
    int length = (int) (head >>> 1);
    if ((head & 1) != 0) {
      decompressor.decompress(data, length, 0, length, raw);
    } else {
      raw.bytes = ArrayUtil.growNoCopy(raw.bytes, length);
      raw.offset = 0;
      raw.length = length;
      data.readBytes(raw.bytes, 0, length);
    }
  }

  private void unfold() throws CorruptIndexException {
    position = raw.offset;
    int end = raw.offset + raw.length;
    int at = 0;
    int before = 0;
    for (int i = 0; i < inBlock; i++) {
      int shared = length(end);
      int rest = length(end);
      if (shared > at - before || rest > end - position || shared + rest > TERM_LENGTH_MAX) {
        throw damage("damaged term of " + shared + " and " + rest + " bytes");
      }
      bytes = ArrayUtil.grow(bytes, at + shared + rest);
      System.arraycopy(bytes, before, bytes, at, shared);
      System.arraycopy(raw.bytes, position, bytes, at + shared, rest);
      position += rest;
      starts[i] = before = at;
      at += shared + rest;
    }
    if (position != end) {
      throw damage("block of terms has " + (end - position) + " bytes too many");
    }
    starts[inBlock] = at;
  }

  /// A vInt of the block, within its bytes.
  private int length(int end) throws CorruptIndexException {
    int value = 0;
    for (int shift = 0; shift < Integer.SIZE && position < end; shift += 7) {
      byte next = raw.bytes[position++];
      value |= (next & 0x7F) << shift;
      if (next >= 0 && value >= 0) {
        return value;
      }
    }
    throw damage("damaged length of a term");
  }
}
