package dev.holdfast.blobcache.local;

import dev.holdfast.blobcache.blob.PageChecksums;
import java.io.IOException;
import java.util.Optional;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/// A file within a mapped blob of which some pages were not checked yet: a page is checked before
/// its first read, by whichever thread. Clones and slices of what is checked are Lucene's own
/// inputs, so that what is searched again and again costs what a mapped file costs.
final class CheckedInput extends IndexInput implements RandomAccessInput {
  /// A slice with no more than so many bytes to check is checked at once.
  private static final long EAGER_BYTES = 2 * PageChecksums.PAGE_BYTES;

  /// The most bytes that a variable-length number, or a group of four, has.
  private static final int VARIABLE_BYTES_MAX = 17;

  private final IndexInput in;

  /// The same.
  private final RandomAccessInput random;

  private final IndexInput whole;
  private final CheckedFile file;
  private final long base;
  private final long length;

  /// Everything before needs no check.
  private long scanned;

  private CheckedInput(
      IndexInput in, RandomAccessInput random, IndexInput whole, CheckedFile file, long base) {
    super(in.toString());
    this.in = in;
    this.random = random;
    this.whole = whole;
    this.file = file;
    this.base = base;
    this.length = in.length();
  }

  /// @param in a slice of the blob, mapped
  /// @param whole the blob, open as long as its slices are
  /// @param base where the slice begins in the blob
  static IndexInput of(IndexInput in, IndexInput whole, CheckedFile file, long base)
      throws IOException {
    long end = base + in.length();
    if (base == end) {
      return in;
    }
    boolean isLittle = file.unchecked(base, end, EAGER_BYTES) <= EAGER_BYTES;
    if (!isLittle && in instanceof RandomAccessInput random) {
      return new CheckedInput(in, random, whole, file, base);
    }
    file.check(whole, base, end);
    return in;
  }

  private void touch(long at, long count) throws IOException {
    if (!file.isChecked(base + at, count)) {
      check(at, count);
    }
  }

  private void check(long at, long count) throws IOException {
    if (at >= 0 && count > 0 && at < length) { // else the inner input refuses it
      file.check(whole, base + at, base + Math.min(length, at + count));
    }
  }

  private void touchVariable() throws IOException {
    touch(in.getFilePointer(), Math.min(VARIABLE_BYTES_MAX, length - in.getFilePointer()));
  }

  @Override
  public byte readByte() throws IOException {
    touch(in.getFilePointer(), Byte.BYTES);
    return in.readByte();
  }

  @Override
  public short readShort() throws IOException {
    touch(in.getFilePointer(), Short.BYTES);
    return in.readShort();
  }

  @Override
  public int readInt() throws IOException {
    touch(in.getFilePointer(), Integer.BYTES);
    return in.readInt();
  }

  @Override
  public long readLong() throws IOException {
    touch(in.getFilePointer(), Long.BYTES);
    return in.readLong();
  }

  @Override
  public int readVInt() throws IOException {
    touchVariable();
    return in.readVInt();
  }

  @Override
  public long readVLong() throws IOException {
    touchVariable();
    return in.readVLong();
  }

  @Override
  public void readBytes(byte[] bytes, int offset, int count) throws IOException {
    touch(in.getFilePointer(), count);
    in.readBytes(bytes, offset, count);
  }

  @Override
  public void readInts(int[] ints, int offset, int count) throws IOException {
    touch(in.getFilePointer(), (long) count * Integer.BYTES);
    in.readInts(ints, offset, count);
  }

  @Override
  public void readLongs(long[] longs, int offset, int count) throws IOException {
    touch(in.getFilePointer(), (long) count * Long.BYTES);
    in.readLongs(longs, offset, count);
  }

  @Override
  public void readFloats(float[] floats, int offset, int count) throws IOException {
    touch(in.getFilePointer(), (long) count * Float.BYTES);
    in.readFloats(floats, offset, count);
  }

  @Override
  public byte readByte(long at) throws IOException {
    touch(at, Byte.BYTES);
    return random.readByte(at);
  }

  @Override
  public short readShort(long at) throws IOException {
    touch(at, Short.BYTES);
    return random.readShort(at);
  }

  @Override
  public int readInt(long at) throws IOException {
    touch(at, Integer.BYTES);
    return random.readInt(at);
  }

  @Override
  public long readLong(long at) throws IOException {
    touch(at, Long.BYTES);
    return random.readLong(at);
  }

  @Override
  public void readBytes(long at, byte[] bytes, int offset, int count) throws IOException {
    touch(at, count);
    random.readBytes(at, bytes, offset, count);
  }

  @Override
  public long getFilePointer() {
    return in.getFilePointer();
  }

  @Override
  public void seek(long to) throws IOException {
    in.seek(to);
  }

  @Override
  public void skipBytes(long count) throws IOException {
    in.skipBytes(count);
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public IndexInput clone() {
    IndexInput clone = in.clone();
    scanned = file.runEnd(base + scanned, base + length) - base;
    if (scanned == length || !(clone instanceof RandomAccessInput random)) {
      return clone;
    }
    CheckedInput checked = new CheckedInput(clone, random, whole, file, base);
    checked.scanned = scanned;
    return checked;
  }

  @Override
  public IndexInput slice(String description, long offset, long sliceLength) throws IOException {
    return of(in.slice(description, offset, sliceLength), whole, file, base + offset);
  }

  @Override
  public IndexInput slice(String description, long offset, long sliceLength, IOContext context)
      throws IOException {
    return of(in.slice(description, offset, sliceLength, context), whole, file, base + offset);
  }

  @Override
  public void prefetch(long offset, long count) throws IOException {
    in.prefetch(offset, count);
  }

  @Override
  public void updateIOContext(IOContext context) throws IOException {
    in.updateIOContext(context);
  }

  @Override
  public Optional<Boolean> isLoaded() {
    return in.isLoaded();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
