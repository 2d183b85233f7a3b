package dev.holdfast.blobcache;

import dev.holdfast.blobcache.blob.Blob;
import dev.holdfast.blobcache.region.CacheConfig;
import dev.holdfast.blobcache.region.ReadRequest;
import dev.holdfast.blobcache.region.Region;
import dev.holdfast.blobcache.region.Window;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.apache.lucene.store.RandomAccessInput;
import org.jspecify.annotations.Nullable;

/// A file within a remote blob, read through the cache. While it reads within one window it costs
/// what a mapped file costs; off the window it asks the cache for the next. An evicted window is
/// left at the next clone, slice or bulk read; a reader that stays for long meets its end: the read
/// then throws inside and is done again.
final class CachedBlobInput extends IndexInput
    implements RandomAccessInput, MemorySegmentAccessInput {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// How often a window may be evicted under a read before the read asks for a copy.
  private static final int EVICTED_MAX = 3;

  private final BlobCache cache;
  private final Blob blob;
  private final long base;
  private final long length;
  private Access access;
  private long fetchBytes;
  private long position;
  private InputWindow view = InputWindow.NONE;
  private volatile boolean closed;

  CachedBlobInput(
      String description, BlobCache cache, Blob blob, long base, long length, Access access) {
    super(description);
    this.cache = cache;
    this.blob = blob;
    this.base = base;
    this.length = length;
    this.access = access;
  }

  @Override
  public byte readByte() throws IOException {
    byte value = readByte(position);
    position++;
    return value;
  }

  @Override
  public short readShort() throws IOException {
    short value = readShort(position);
    position += Short.BYTES;
    return value;
  }

  @Override
  public int readInt() throws IOException {
    int value = readInt(position);
    position += Integer.BYTES;
    return value;
  }

  @Override
  public long readLong() throws IOException {
    long value = readLong(position);
    position += Long.BYTES;
    return value;
  }

  @Override
  public byte readByte(long at) throws IOException {
    InputWindow now = view;
    if (at >= now.start && at < now.end) {
      try {
        return now.segment.get(BYTE, at - now.start);
      } catch (IllegalStateException e) {
        evicted(now, e);
      }
    }
    return scratch(at, Byte.BYTES).get(BYTE, 0);
  }

  @Override
  public short readShort(long at) throws IOException {
    InputWindow now = view;
    if (at >= now.start && at <= now.end - Short.BYTES) {
      try {
        return now.segment.get(SHORT, at - now.start);
      } catch (IllegalStateException e) {
        evicted(now, e);
      }
    }
    return scratch(at, Short.BYTES).get(SHORT, 0);
  }

  @Override
  public int readInt(long at) throws IOException {
    InputWindow now = view;
    if (at >= now.start && at <= now.end - Integer.BYTES) {
      try {
        return now.segment.get(INT, at - now.start);
      } catch (IllegalStateException e) {
        evicted(now, e);
      }
    }
    return scratch(at, Integer.BYTES).get(INT, 0);
  }

  @Override
  public long readLong(long at) throws IOException {
    InputWindow now = view;
    if (at >= now.start && at <= now.end - Long.BYTES) {
      try {
        return now.segment.get(LONG, at - now.start);
      } catch (IllegalStateException e) {
        evicted(now, e);
      }
    }
    return scratch(at, Long.BYTES).get(LONG, 0);
  }

  @Override
  public void readBytes(byte[] bytes, int offset, int count) throws IOException {
    read(position, MemorySegment.ofArray(bytes), offset, count);
    position += count;
  }

  @Override
  public void readBytes(long at, byte[] bytes, int offset, int count) throws IOException {
    read(at, MemorySegment.ofArray(bytes), offset, count);
  }

  @Override
  public void readInts(int[] ints, int offset, int count) throws IOException {
    readNumbers(MemorySegment.ofArray(ints), INT, ValueLayout.JAVA_INT, offset, count);
  }

  @Override
  public void readLongs(long[] longs, int offset, int count) throws IOException {
    readNumbers(MemorySegment.ofArray(longs), LONG, ValueLayout.JAVA_LONG, offset, count);
  }

  @Override
  public void readFloats(float[] floats, int offset, int count) throws IOException {
    readNumbers(MemorySegment.ofArray(floats), FLOAT, ValueLayout.JAVA_FLOAT, offset, count);
  }

  @Override
  public long getFilePointer() {
    return position;
  }

  @Override
  public void seek(long to) throws IOException {
    if (to < 0 || to > length) {
      throw new EOFException("seek past the end [to=" + to + ", length=" + length + "]: " + this);
    }
    position = to;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public CachedBlobInput clone() {
    ensureOpen();
    refresh();
    CachedBlobInput clone = (CachedBlobInput) super.clone();
    clone.closed = false;
    return clone;
  }

  @Override
  public IndexInput slice(String description, long offset, long sliceLength) {
    return slice(description, offset, sliceLength, access);
  }

  @Override
  public IndexInput slice(String description, long offset, long sliceLength, IOContext context) {
    return slice(description, offset, sliceLength, access.ofSlice(context));
  }

  private CachedBlobInput slice(String description, long offset, long sliceLength, Access how) {
    if ((offset | sliceLength) < 0 || offset > length - sliceLength) {
      throw new IllegalArgumentException(
          "slice out of bounds [offset=" + offset + ", length=" + sliceLength + "]: " + this);
    }
    ensureOpen();
    refresh();
    CachedBlobInput slice =
        new CachedBlobInput(
            getFullSliceDescription(description), cache, blob, base + offset, sliceLength, how);
    InputWindow now = view;
    if (now.end > offset && now.start < offset + sliceLength) {
      slice.view = slice.view(new Window(now.segment, now.start - offset, now.region, now.isUse));
    }
    return slice;
  }

  @Override
  public void prefetch(long offset, long count) throws IOException {
    if (offset < 0 || count < 0 || offset + count > length) {
      throw new IllegalArgumentException(
          "prefetch out of bounds [offset=" + offset + ", length=" + count + "]: " + this);
    }
    CacheConfig config = cache.config();
    long most = config.sequentialFetch().bytes();
    boolean isForward = access == Access.COLUMN || access == Access.SEQUENTIAL;
    long wanted = Math.min(isForward ? length - offset : count, most);
    InputWindow now = view;
    boolean isHere = offset >= now.start && offset + wanted <= now.end;
    if (access == Access.MERGE || isHere) {
      return;
    }
    long from = base + offset;
    try {
      cache.prefetch(
          blob,
          new ReadRequest(
              from,
              Math.min(length - offset, Math.max(wanted, config.randomFetch().bytes() / 2)),
              isForward ? most : config.randomFetch().bytes(),
              isForward,
              base + length,
              ReadRequest.Admission.FULL,
              false),
          from + wanted,
          false);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted in a prefetch").initCause(e);
    }
  }

  @Override
  public @Nullable MemorySegment segmentSliceOrNull(long at, long count) throws IOException {
    return at < 0 || count > length - at ? null : cache.segment(blob.key(), base + at, count);
  }

  @Override
  public Optional<Boolean> isLoaded() {
    return Optional.empty();
  }

  @Override
  public void updateIOContext(IOContext context) {
    access = access.ofSlice(context);
  }

  @Override
  public void close() {
    closed = true;
    view = InputWindow.NONE;
  }

  private MemorySegment scratch(long at, int count) throws IOException {
    MemorySegment scratch = MemorySegment.ofArray(new byte[count]);
    read(at, scratch, 0, count);
    return scratch;
  }

  /// Numbers lie in the file in little-endian order; the copy turns them if the machine's differs.
  private void readNumbers(
      MemorySegment into, ValueLayout layout, ValueLayout own, int offset, int count)
      throws IOException {
    long bytes = count * layout.byteSize();
    InputWindow now = view;
    if (position >= now.start && position <= now.end - bytes) {
      try {
        MemorySegment.copy(
            now.segment,
            layout,
            position - now.start,
            into,
            own,
            offset * layout.byteSize(),
            count);
        position += bytes;
        return;
      } catch (IllegalStateException e) {
        evicted(now, e);
      }
    }
    MemorySegment scratch = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    read(position, scratch, 0, bytes);
    MemorySegment.copy(scratch, layout, 0, into, own, offset * layout.byteSize(), count);
    position += bytes;
  }

  private void read(long at, MemorySegment into, long offset, long count) throws IOException {
    if (at < 0 || count > length - at) {
      throw new EOFException(
          "read past the end [at=" + at + ", count=" + count + ", length=" + length + "]: " + this);
    }
    refresh();
    long done = 0;
    int evictions = 0;
    while (done < count) {
      InputWindow now = view;
      long from = at + done;
      if (from < now.start || from >= now.end) {
        load(from, count - done, evictions >= EVICTED_MAX);
        continue;
      }
      long here = Math.min(count - done, now.end - from);
      try {
        MemorySegment.copy(now.segment, from - now.start, into, offset + done, here);
        done += here;
      } catch (IllegalStateException e) {
        evicted(now, e);
        evictions++;
      }
    }
  }

  private void load(long at, long wanted, boolean isCopied) throws IOException {
    ensureOpen();
    CacheConfig config = cache.config();
    boolean isContiguous = at == view.end && view != InputWindow.NONE;
    fetchBytes = access.fetchBytes(config, isContiguous ? fetchBytes : 0);
    boolean isForward = access.isForward(isContiguous);
    Window window =
        cache.window(
            blob,
            new ReadRequest(
                base + at,
                wanted,
                fetchBytes,
                isForward,
                base + length,
                access.admission(config, fetchBytes),
                isCopied));
    view =
        view(new Window(window.segment(), window.start() - base, window.region(), window.isUse()));
  }

  /// @param window in this input's coordinates; may begin before it
  private InputWindow view(Window window) {
    MemorySegment segment = window.segment();
    long start = window.start();
    long end = Math.min(length, start + segment.byteSize());
    return start >= 0
        ? new InputWindow(segment, start, end, window.region(), window.isUse())
        : new InputWindow(segment.asSlice(-start), 0, end, window.region(), window.isUse());
  }

  /// Lets go of a window that was evicted under a read; any other failure is thrown on.
  private void evicted(InputWindow gone, IllegalStateException e) {
    if (gone.region == null || gone.segment.scope().isAlive()) {
      throw e;
    }
    // The JVM marks a thread as interrupted when it is inside a read of what is being unmapped.
    Thread.interrupted();
    if (view == gone) {
      view = InputWindow.NONE;
    }
  }

  /// Tells the cache that the window is in use, or leaves it when it was evicted.
  private void refresh() {
    Region region = view.region;
    if (region != null) {
      if (region.isRetired()) {
        view = InputWindow.NONE;
      } else if (view.isUse) {
        region.touch();
      }
    }
  }

  private void ensureOpen() {
    if (closed) {
      throw new AlreadyClosedException("closed: " + this);
    }
  }
}
