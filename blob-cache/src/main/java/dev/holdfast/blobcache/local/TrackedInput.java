package dev.holdfast.blobcache.local;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/// An input that tells when it is closed. Clones and slices are the inner input's own, at full
/// speed: like all of Lucene's they end with the input they come from.
public final class TrackedInput extends FilterIndexInput {
  /// What to do when the input is closed; once.
  public interface Closing {
    void run() throws IOException;
  }

  private final Closing closing;
  private final AtomicBoolean closed = new AtomicBoolean();

  public TrackedInput(String name, IndexInput in, Closing closing) {
    super(name, in);
    this.closing = closing;
  }

  @Override
  public void close() throws IOException {
    if (closed.compareAndSet(false, true)) {
      try {
        in.close();
      } finally {
        closing.run();
      }
    }
  }

  @Override
  public IndexInput clone() {
    return in.clone();
  }

  @Override
  public IndexInput slice(String description, long offset, long length, IOContext context)
      throws IOException {
    return in.slice(description, offset, length, context);
  }

  @Override
  public RandomAccessInput randomAccessSlice(long offset, long length) throws IOException {
    return in.randomAccessSlice(offset, length);
  }

  @Override
  public short readShort() throws IOException {
    return in.readShort();
  }

  @Override
  public int readInt() throws IOException {
    return in.readInt();
  }

  @Override
  public long readLong() throws IOException {
    return in.readLong();
  }

  @Override
  public int readVInt() throws IOException {
    return in.readVInt();
  }

  @Override
  public long readVLong() throws IOException {
    return in.readVLong();
  }

  @Override
  public void skipBytes(long count) throws IOException {
    in.skipBytes(count);
  }

  @Override
  public void prefetch(long offset, long length) throws IOException {
    in.prefetch(offset, length);
  }

  @Override
  public void updateIOContext(IOContext context) throws IOException {
    in.updateIOContext(context);
  }

  @Override
  public Optional<Boolean> isLoaded() {
    return in.isLoaded();
  }
}
