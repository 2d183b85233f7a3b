package dev.holdfast.http.spool;

import dev.holdfast.world.Refusal;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Bytes in a file that ends with its request: appended by one thread at a time, read as often as
/// need be.
public final class SpoolFile {
  private static final Logger LOG = LoggerFactory.getLogger(SpoolFile.class);

  /// The disk is asked for so much at a time.
  private static final long STEP_BYTES = 256 << 10;

  private static final int BUFFER_BYTES = 64 << 10;

  private final Spool spool;
  private final FileChannel channel;
  private long length;
  private long taken;
  private boolean isClosed;

  private final boolean isAnswer;
  private volatile LongConsumer onRead = _ -> {};

  SpoolFile(Spool spool, FileChannel channel, boolean isAnswer) {
    this.spool = spool;
    this.channel = channel;
    this.isAnswer = isAnswer;
  }

  public synchronized long length() {
    return length;
  }

  /// @throws Refusal 429 when there is no room; for an answer only when the disk is full
  /// @throws IOException when the request has ended
  public synchronized void append(byte[] bytes, int offset, int count) throws IOException {
    if (isClosed) {
      throw new IOException("the request has ended");
    }
    ensure(length + count, !isAnswer);
    ByteBuffer from = ByteBuffer.wrap(bytes, offset, count);
    try {
      while (from.hasRemaining()) {
        length += channel.write(from, length);
      }
    } catch (IOException e) {
      LOG.warn("a large request could not be written to its file [why={}]", e.toString());
      throw Spool.full(String.valueOf(e.getMessage()));
    }
  }

  /// Takes room for so many bytes more than there are, so that they can be appended.
  ///
  /// @throws Refusal 429 when there is none
  public synchronized void reserve(long more) throws IOException {
    ensure(length + more, true);
  }

  private void ensure(long needed, boolean isRefused) throws IOException {
    if (needed > taken) {
      long step = Math.max(needed - taken, STEP_BYTES);
      spool.take(step, isRefused);
      taken += step;
    }
  }

  /// What is written there is appended, in large pieces; closing or flushing appends the last one.
  public OutputStream appending() {
    return new BufferedOutputStream(
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            append(new byte[] {(byte) b}, 0, 1);
          }

          @Override
          public void write(byte[] bytes, int offset, int count) throws IOException {
            append(bytes, offset, count);
          }
        },
        BUFFER_BYTES);
  }

  /// Tells who reads on, and how far: who is to read slowly waits there.
  ///
  /// @param told of the bytes from the beginning that are about to be read
  public void onRead(LongConsumer told) {
    onRead = told;
  }

  /// Reads the file as it is now, from its beginning.
  public InputStream read() {
    return new Reading();
  }

  synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    spool.give(taken);
    taken = 0;
    try {
      channel.close();
    } catch (IOException e) {
      LOG.warn("the file of a large request could not be closed [why={}]", e.toString());
    }
  }

  private final class Reading extends InputStream {
    private long position;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
      if (count == 0) {
        return 0;
      }
      onRead.accept(position);
      int read = channel.read(ByteBuffer.wrap(into, offset, count), position);
      position += Math.max(0, read);
      return read;
    }
  }
}
