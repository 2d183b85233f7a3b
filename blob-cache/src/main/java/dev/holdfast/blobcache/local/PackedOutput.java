package dev.holdfast.blobcache.local;

import java.io.IOException;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;

/// Writes a file that is expected to stay small: to the heap, and when it does not stay small to a
/// file of its own.
final class PackedOutput extends IndexOutput {
  private static final int FIRST_BYTES = 512;

  /// Where it goes.
  interface Target {
    /// The file is whole and small.
    void isWhole(byte[] bytes) throws IOException;

    /// The file has become large.
    IndexOutput own() throws IOException;
  }

  private final int bytesMax;
  private final Target target;
  private byte[] bytes = new byte[FIRST_BYTES];
  private int count;
  private @Nullable IndexOutput own;
  private boolean isClosed;

  /// @param bytesMax a larger file gets one of its own
  PackedOutput(String name, int bytesMax, Target target) {
    super("packed [" + name + "]", name);
    this.bytesMax = bytesMax;
    this.target = target;
  }

  /// Makes room for more bytes; what is written goes there, or, when this is not null, to the file
  /// of its own.
  private @Nullable IndexOutput room(int more) throws IOException {
    IndexOutput large = own;
    if (large != null || count + more <= bytes.length) {
      return large;
    }
    if (count + more <= bytesMax) {
      bytes = Arrays.copyOf(bytes, Math.clamp(2L * bytes.length, count + more, bytesMax));
      return null;
    }
    large = target.own();
    own = large;
    large.writeBytes(bytes, 0, count);
    bytes = new byte[0];
    return large;
  }

  @Override
  public void writeByte(byte b) throws IOException {
    IndexOutput large = room(Byte.BYTES);
    if (large != null) {
      large.writeByte(b);
    } else {
      bytes[count++] = b;
    }
  }

  @Override
  public void writeBytes(byte[] from, int offset, int length) throws IOException {
    IndexOutput large = room(length);
    if (large != null) {
      large.writeBytes(from, offset, length);
    } else {
      System.arraycopy(from, offset, bytes, count, length);
      count += length;
    }
  }

  @Override
  public long getFilePointer() {
    IndexOutput large = own;
    return large == null ? count : large.getFilePointer();
  }

  @Override
  public long getChecksum() throws IOException {
    IndexOutput large = own;
    if (large != null) {
      return large.getChecksum();
    }
    CRC32 sum = new CRC32();
    sum.update(bytes, 0, count);
    return sum.getValue();
  }

  @Override
  public void close() throws IOException {
    if (isClosed) {
      return;
    }
    isClosed = true;
    IndexOutput large = own;
    if (large != null) {
      large.close();
    } else {
      target.isWhole(Arrays.copyOf(bytes, count));
    }
  }
}
