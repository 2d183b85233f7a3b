package dev.holdfast.codec.terms;

import dev.holdfast.codec.stored.ZstdMode;
import java.io.IOException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.packed.DirectMonotonicReader;

/// Where the terms of a field lie.
///
/// They are cut into blocks of 64. A block is a vInt, twice its length plus whether it is
/// compressed, and then, by zstd if so: for each term how many bytes it shares with the one before
/// (vInt), how many follow (vInt), and those. Behind the blocks are their separators: as much of
/// the first term of each as tells it from the term before.
///
/// @param terms how many there are
/// @param separatorsStart of the bytes of separators
/// @param blocks how the starts of blocks are packed
/// @param blocksStart where those lie
/// @param separators how the starts of separators are packed, with the end of the last
/// @param startsStart where those lie
/// @param end of all
public record PackedTerms(
    long terms,
    long separatorsStart,
    DirectMonotonicReader.Meta blocks,
    long blocksStart,
    DirectMonotonicReader.Meta separators,
    long startsStart,
    long end) {
  static final int BLOCK_SHIFT = 6;
  static final int BLOCK_SIZE = 1 << BLOCK_SHIFT;

  /// Of the tables.
  static final int TABLE_SHIFT = 10;

  /// Of a table's entry for each [#TABLE_SHIFT] of its values, in the metadata.
  private static final int TABLE_ENTRY_BYTES = 21;

  static final ZstdMode ZSTD = new ZstdMode(3);

  static long blocks(long terms) {
    return (terms + BLOCK_SIZE - 1) >>> BLOCK_SHIFT;
  }

  /// Reads what is known of a table, which the metadata must be long enough for.
  public static DirectMonotonicReader.Meta table(IndexInput meta, long values, int shift)
      throws IOException {
    long left = meta.length() - meta.getFilePointer();
    if (values < 0 || values >>> shift > left / TABLE_ENTRY_BYTES) {
      throw new CorruptIndexException("damaged table [values=" + values + "]", meta);
    }
    return DirectMonotonicReader.loadMeta(meta, values, shift);
  }

  /// Reads what [PackedTermsWriter] wrote of a field.
  public static PackedTerms read(IndexInput meta) throws IOException {
    long terms = meta.readVLong();
    long separatorsStart = meta.readVLong();
    long blocksStart = meta.readVLong();
    DirectMonotonicReader.Meta blocks = table(meta, blocks(terms), TABLE_SHIFT);
    long startsStart = meta.readVLong();
    DirectMonotonicReader.Meta separators = table(meta, blocks(terms) + 1, TABLE_SHIFT);
    long end = meta.readVLong();
    if (terms < 1
        || separatorsStart > blocksStart
        || blocksStart > startsStart
        || startsStart > end) {
      throw new CorruptIndexException("damaged terms [count=" + terms + "]", meta);
    }
    return new PackedTerms(
        terms, separatorsStart, blocks, blocksStart, separators, startsStart, end);
  }
}
