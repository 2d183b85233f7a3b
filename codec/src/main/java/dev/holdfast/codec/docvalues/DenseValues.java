package dev.holdfast.codec.docvalues;

import static dev.holdfast.codec.docvalues.HoldfastDocValuesFormat.*;

import java.io.IOException;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.LongsRef;

/// A column in which every document has a value.
final class DenseValues extends NumericDocValues {
  /// From so many documents of one block on, decoding the block is cheaper than one read each.
  private static final int GATHER_MIN = 96;

  /// A reader that asks for so many documents one by one, all within [#NEAR_DOCS], is going through
  /// the block: it is decoded then.
  private static final int SINGLES_MAX = 32;

  private static final int NEAR_DOCS = 256;

  private final ColumnBlocks blocks;
  private final int documents;
  private long[] decoded = LongsRef.EMPTY_LONGS;
  private int decodedBlock = -1;
  private int singlesBlock = -1;
  private int singles;
  private int firstSingle;
  private int doc = -1;

  DenseValues(ColumnBlocks blocks, int documents) {
    this.blocks = blocks;
    this.documents = documents;
  }

  @Override
  public long longValue() throws IOException {
    int block = doc >>> BLOCK_SHIFT;
    return block == decodedBlock ? decoded[doc & (BLOCK_SIZE - 1)] : single(block);
  }

  private long single(int block) throws IOException {
    if (block != singlesBlock) {
      singlesBlock = block;
      singles = 0;
      firstSingle = doc;
    }
    if (++singles == SINGLES_MAX && doc - firstSingle < NEAR_DOCS) {
      decode(block);
      return decoded[doc & (BLOCK_SIZE - 1)];
    }
    return blocks.get(doc);
  }

  @Override
  public void longValues(
      int size, int[] docs, int docsOffset, long[] values, int valuesOffset, long defaultValue)
      throws IOException {
    if (size == 0) {
      return;
    }
    int last = docs[docsOffset + size - 1];
    if (last - docs[docsOffset] == size - 1) {
      blocks.copy(docs[docsOffset], size, values, valuesOffset);
    } else {
      gather(size, docs, docsOffset, values, valuesOffset);
    }
    doc = last;
  }

  private void gather(int size, int[] docs, int docsOffset, long[] values, int valuesOffset)
      throws IOException {
    int i = 0;
    while (i < size) {
      int block = docs[docsOffset + i] >>> BLOCK_SHIFT;
      int blockEnd = (block + 1) << BLOCK_SHIFT;
      int end = i + 1;
      while (end < size && docs[docsOffset + end] < blockEnd) {
        end++;
      }
      if (end - i >= GATHER_MIN || block == decodedBlock) {
        decode(block);
        for (; i < end; i++) {
          values[valuesOffset + i] = decoded[docs[docsOffset + i] & (BLOCK_SIZE - 1)];
        }
      } else {
        for (; i < end; i++) {
          values[valuesOffset + i] = blocks.get(docs[docsOffset + i]);
        }
      }
    }
  }

  private void decode(int block) throws IOException {
    if (block != decodedBlock) {
      int first = block << BLOCK_SHIFT;
      decodedBlock = -1;
      if (decoded.length == 0) {
        decoded = new long[BLOCK_SIZE];
      }
      blocks.copy(first, Math.min(BLOCK_SIZE, documents - first), decoded, 0);
      decodedBlock = block;
    }
  }

  @Override
  public void rangeIntoBitSet(
      int fromDoc, int toDoc, long minValue, long maxValue, FixedBitSet bitSet, int offset)
      throws IOException {
    int at = fromDoc;
    int end = Math.min(toDoc, documents);
    while (at < end) {
      int block = at >>> BLOCK_SHIFT;
      int blockEnd = Math.min(end, (block + 1) << BLOCK_SHIFT);
      decode(block);
      for (; at < blockEnd; at++) {
        long value = decoded[at & (BLOCK_SIZE - 1)];
        if (value >= minValue && value <= maxValue) {
          bitSet.set(at - offset);
        }
      }
    }
  }

  @Override
  public boolean advanceExact(int target) {
    doc = target;
    return true;
  }

  @Override
  public int docID() {
    return doc;
  }

  @Override
  public int nextDoc() {
    return advance(doc + 1);
  }

  @Override
  public int advance(int target) {
    doc = target >= documents ? NO_MORE_DOCS : target;
    return doc;
  }

  @Override
  public long cost() {
    return documents;
  }

  @Override
  public int docIDRunEnd() {
    return documents;
  }
}
