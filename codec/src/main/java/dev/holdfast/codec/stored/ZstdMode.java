package dev.holdfast.codec.stored;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import org.apache.lucene.codecs.compressing.CompressionMode;
import org.apache.lucene.codecs.compressing.Compressor;
import org.apache.lucene.codecs.compressing.Decompressor;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;

/// Blocks compressed by zstd: a vInt of the compressed length, then one zstd frame. The native
/// contexts are pooled, for they are dear to make and can't belong to readers, which are never
/// closed.
public final class ZstdMode extends CompressionMode {
  private static final int CONTEXTS_MAX = 16;

  private final int level;
  private final ContextPool<ZstdCompressCtx> compressors;
  private final ContextPool<ZstdDecompressCtx> decompressors;

  public ZstdMode(int level) {
    this.level = level;
    this.compressors = new ContextPool<>(CONTEXTS_MAX, () -> new ZstdCompressCtx().setLevel(level));
    this.decompressors = new ContextPool<>(CONTEXTS_MAX, ZstdDecompressCtx::new);
  }

  @Override
  public Compressor newCompressor() {
    return new BlockCompressor(compressors);
  }

  @Override
  public Decompressor newDecompressor() {
    return new BlockDecompressor(decompressors);
  }

  @Override
  public String toString() {
    return "ZSTD(" + level + ")";
  }

  /// A frame grows by at most this much, ZSTD_COMPRESSBOUND with some to spare.
  private static long compressedMax(int length) {
    return length + (length >>> 8) + 512L;
  }

  private static final class BlockCompressor extends Compressor {
    private final ContextPool<ZstdCompressCtx> contexts;
    private byte[] plain = BytesRef.EMPTY_BYTES;
    private byte[] compressed = BytesRef.EMPTY_BYTES;

    BlockCompressor(ContextPool<ZstdCompressCtx> contexts) {
      this.contexts = contexts;
    }

    @Override
    public void compress(ByteBuffersDataInput in, DataOutput out) throws IOException {
      int length = Math.toIntExact(in.length() - in.position());
      plain = ArrayUtil.growNoCopy(plain, length);
      in.readBytes(plain, 0, length);
      compressed = ArrayUtil.growNoCopy(compressed, (int) compressedMax(length));
      ZstdCompressCtx context = contexts.take();
      int size;
      try {
        size = context.compressByteArray(compressed, 0, compressed.length, plain, 0, length);
      } catch (ZstdException failed) {
        throw new IOException("zstd failed to compress [length=" + length + "]", failed);
      } finally {
        contexts.giveBack(context);
      }
      out.writeVInt(size);
      out.writeBytes(compressed, 0, size);
    }

    @Override
    public void close() {
      plain = BytesRef.EMPTY_BYTES;
      compressed = BytesRef.EMPTY_BYTES;
    }
  }

  /// Remembers the block it decoded last: a page of hits out of one block decodes it once. Belongs
  /// to one reader of one file, and so to one thread.
  private static final class BlockDecompressor extends Decompressor {
    private final ContextPool<ZstdDecompressCtx> contexts;
    private byte[] compressed = BytesRef.EMPTY_BYTES;
    private byte[] block = BytesRef.EMPTY_BYTES;
    private long blockPointer = -1;

    BlockDecompressor(ContextPool<ZstdDecompressCtx> contexts) {
      this.contexts = contexts;
    }

    @Override
    public void decompress(DataInput in, int originalLength, int offset, int length, BytesRef bytes)
        throws IOException {
      long pointer = in instanceof IndexInput file ? file.getFilePointer() : -1;
      int size = in.readVInt();
      bytes.bytes = ArrayUtil.growNoCopy(bytes.bytes, length);
      if (pointer >= 0 && pointer == blockPointer) {
        // The input must end up behind the block all the same: large documents span several.
        in.skipBytes(size);
      } else if (offset == 0 && length == originalLength) {
        decode(in, size, bytes.bytes, originalLength);
        bytes.offset = 0;
        bytes.length = length;
        return;
      } else {
        blockPointer = -1;
        block = ArrayUtil.growNoCopy(block, originalLength);
        decode(in, size, block, originalLength);
        blockPointer = pointer;
      }
      // Copied out: the caller may keep its bytes while the next block is decoded.
      System.arraycopy(block, offset, bytes.bytes, 0, length);
      bytes.offset = 0;
      bytes.length = length;
    }

    private void decode(DataInput in, int size, byte[] into, int length) throws IOException {
      if (size < 0 || size > compressedMax(length)) {
        throw new CorruptIndexException(
            "compressed block of " + size + " bytes, which holds " + length, in);
      }
      compressed = ArrayUtil.growNoCopy(compressed, size);
      in.readBytes(compressed, 0, size);
      ZstdDecompressCtx context = contexts.take();
      int decoded;
      try {
        decoded = context.decompressByteArray(into, 0, length, compressed, 0, size);
      } catch (ZstdException damaged) {
        throw new CorruptIndexException("damaged block of stored fields", in, damaged);
      } finally {
        contexts.giveBack(context);
      }
      if (decoded != length) {
        throw new CorruptIndexException(
            "block of stored fields has " + decoded + " bytes, not " + length, in);
      }
    }

    @Override
    @SuppressWarnings("MissingSuperCall") // Lucene's clone means another of its kind
    public Decompressor clone() {
      return new BlockDecompressor(contexts);
    }
  }
}
