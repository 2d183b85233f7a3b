package dev.holdfast.codec.terms;

import static dev.holdfast.codec.terms.PackedTerms.*;

import java.io.IOException;
import org.apache.lucene.codecs.compressing.Decompressor;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.ByteArrayDataInput;
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
  private static final int LENGTH_MAX = BLOCK_SIZE * (1 << 15);

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

  /// The term of an ordinal, until the next call.
  public BytesRef term(long ordinal) throws IOException {
    enter(ordinal >>> BLOCK_SHIFT);
    int at = (int) ordinal & (BLOCK_SIZE - 1);
    found.bytes = bytes;
    found.offset = starts[at];
    found.length = starts[at + 1] - starts[at];
    return found;
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
    int length = Math.toIntExact(separatorStarts.get(of + 1) - start);
    separator.growNoCopy(length);
    separators.readBytes(start, separator.bytes(), 0, length);
    separator.setLength(length);
    return separator.get();
  }

  private void enter(long wanted) throws IOException {
    if (wanted == block) {
      return;
    }
    block = -1; // what is decoded is of no block if reading fails
    data.seek(blockStarts.get(wanted));
    long head = data.readVLong();
    int length = Math.toIntExact(head >>> 1);
    if (length > LENGTH_MAX + BLOCK_SIZE * 10) {
      throw new CorruptIndexException("block of terms is too long [bytes=" + length + "]", data);
    }
    if ((head & 1) != 0) {
      decompressor.decompress(data, length, 0, length, raw);
    } else {
      raw.bytes = ArrayUtil.growNoCopy(raw.bytes, length);
      raw.offset = 0;
      raw.length = length;
      data.readBytes(raw.bytes, 0, length);
    }
    inBlock = (int) Math.min(BLOCK_SIZE, known.terms() - (wanted << BLOCK_SHIFT));
    unfold();
    block = wanted;
  }

  private void unfold() {
    ByteArrayDataInput in = new ByteArrayDataInput(raw.bytes, raw.offset, raw.length);
    int at = 0;
    int before = 0;
    for (int i = 0; i < inBlock; i++) {
      int shared = in.readVInt();
      int rest = in.readVInt();
      bytes = ArrayUtil.grow(bytes, at + shared + rest);
      System.arraycopy(bytes, before, bytes, at, shared);
      in.readBytes(bytes, at + shared, rest);
      starts[i] = before = at;
      at += shared + rest;
    }
    starts[inBlock] = at;
  }
}
