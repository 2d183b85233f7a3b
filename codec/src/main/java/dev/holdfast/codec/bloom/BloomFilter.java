package dev.holdfast.codec.bloom;

import java.io.IOException;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RandomAccessInput;

/// A blocked bloom filter: the bits of a term lie in one cache line of 64 bytes. At 10 bits a term
/// about one look-up in a hundred of an absent term says *maybe*.
final class BloomFilter {
  static final int BLOCK_BYTES = 64;
  private static final int BITS_A_TERM = 10;
  private static final int BLOCK_LONGS = BLOCK_BYTES / Long.BYTES;
  private static final int BLOCK_BITS_SHIFT = 9;
  private static final int BLOCK_BITS = 1 << BLOCK_BITS_SHIFT;
  private static final int PROBES = 6;

  /// Blocks are chosen by the high bits of the hash; their bits by this remix of it.
  private static final long REMIX = 0xA24BAED4963EE407L;

  private final long[] bits;
  private final int blocks;

  /// @param termsMax about how many terms will be added
  BloomFilter(int termsMax) {
    this.blocks =
        Math.toIntExact(Math.max(1, ((long) termsMax * BITS_A_TERM + BLOCK_BITS - 1) / BLOCK_BITS));
    this.bits = new long[Math.multiplyExact(blocks, BLOCK_LONGS)];
  }

  void add(long hash) {
    int base = blockOf(hash, blocks) * BLOCK_LONGS;
    long probes = hash * REMIX;
    for (int i = 0; i < PROBES; i++) {
      int bit = (int) probes & (BLOCK_BITS - 1);
      bits[base + (bit >>> 6)] |= 1L << bit;
      probes >>>= BLOCK_BITS_SHIFT;
    }
  }

  int blocks() {
    return blocks;
  }

  void write(IndexOutput out) throws IOException {
    for (long word : bits) {
      out.writeLong(word);
    }
  }

  /// Whether a written filter of so many blocks may hold the term; false is certain.
  static boolean mayContain(RandomAccessInput written, int blocks, long hash) throws IOException {
    long base = (long) blockOf(hash, blocks) * BLOCK_BYTES;
    long probes = hash * REMIX;
    for (int i = 0; i < PROBES; i++) {
      int bit = (int) probes & (BLOCK_BITS - 1);
      long word = written.readLong(base + (bit >>> 6) * (long) Long.BYTES);
      if ((word >>> bit & 1) == 0) {
        return false;
      }
      probes >>>= BLOCK_BITS_SHIFT;
    }
    return true;
  }

  private static int blockOf(long hash, int blocks) {
    return (int) Math.unsignedMultiplyHigh(hash, blocks);
  }
}
