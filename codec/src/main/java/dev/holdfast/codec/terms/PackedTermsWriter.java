package dev.holdfast.codec.terms;

import static dev.holdfast.codec.terms.PackedTerms.*;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.codecs.compressing.Compressor;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;
import org.apache.lucene.util.StringHelper;
import org.apache.lucene.util.packed.DirectMonotonicWriter;

/// Writes the terms of one field after another.
public final class PackedTermsWriter implements AutoCloseable {
  /// Blocks that are shorter are not compressed.
  private static final int COMPRESSED_MIN = 96;

  private final IndexOutput data;
  private final IndexOutput meta;
  private final Compressor compressor = ZSTD.newCompressor();
  private final ByteBuffersDataOutput block = ByteBuffersDataOutput.newResettableInstance();
  private final ByteBuffersDataOutput compressed = ByteBuffersDataOutput.newResettableInstance();
  private final ByteBuffersDataOutput separators = ByteBuffersDataOutput.newResettableInstance();
  private final BytesRefBuilder before = new BytesRefBuilder();

  public PackedTermsWriter(IndexOutput data, IndexOutput meta) {
    this.data = data;
    this.meta = meta;
  }

  /// @param terms at least one, ascending, not begun
  public void write(TermsEnum terms) throws IOException {
    List<Long> blockStarts = new ArrayList<>();
    List<Long> separatorStarts = new ArrayList<>();
    separators.reset();
    before.clear();
    long count = 0;
    for (BytesRef term = terms.next(); term != null; term = terms.next()) {
      boolean isFirst = (count & (BLOCK_SIZE - 1)) == 0;
      if (isFirst) {
        flush(blockStarts);
        separatorStarts.add(separators.size());
        int length = count == 0 ? 0 : StringHelper.sortKeyLength(before.get(), term);
        separators.writeBytes(term.bytes, term.offset, length);
      }
      int shared = isFirst ? 0 : StringHelper.bytesDifference(before.get(), term);
      block.writeVInt(shared);
      block.writeVInt(term.length - shared);
      block.writeBytes(term.bytes, term.offset + shared, term.length - shared);
      before.copyBytes(term);
      count++;
    }
    flush(blockStarts);
    separatorStarts.add(separators.size());
    meta.writeVLong(count);
    meta.writeVLong(data.getFilePointer());
    separators.copyTo(data);
    meta.writeVLong(data.getFilePointer());
    table(blockStarts);
    meta.writeVLong(data.getFilePointer());
    table(separatorStarts);
    meta.writeVLong(data.getFilePointer());
  }

  private void flush(List<Long> starts) throws IOException {
    if (block.size() == 0) {
      return;
    }
    starts.add(data.getFilePointer());
    int length = Math.toIntExact(block.size());
    compressed.reset();
    if (length >= COMPRESSED_MIN) {
      compressor.compress(block.toDataInput(), compressed);
    }
    boolean isCompressed = compressed.size() > 0 && compressed.size() < length;
    data.writeVLong(((long) length << 1) | (isCompressed ? 1 : 0));
    (isCompressed ? compressed : block).copyTo(data);
    block.reset();
  }

  private void table(List<Long> starts) throws IOException {
    DirectMonotonicWriter table =
        DirectMonotonicWriter.getInstance(meta, data, starts.size(), TABLE_SHIFT);
    for (long start : starts) {
      table.add(start);
    }
    table.finish();
  }

  @Override
  public void close() throws IOException {
    compressor.close();
  }
}
