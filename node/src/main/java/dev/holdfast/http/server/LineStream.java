package dev.holdfast.http.server;

import dev.holdfast.http.LargeBody;
import dev.holdfast.http.spool.RequestFiles;
import dev.holdfast.http.spool.SpoolFile;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// A large body, wherever its bytes are; decoded anew each time it is read.
final class LineStream implements LargeBody {
  private final Source source;
  private final @Nullable String encoding;
  private final long bytesMax;
  private final RequestBytes.Reservation reservation;
  private final RequestFiles files;

  /// Where the bytes come from, as they were sent.
  interface Source {
    InputStream open() throws IOException;
  }

  /// @param encoding that the bytes have; null for none
  /// @param bytesMax how long the lines may be
  LineStream(
      Source source,
      @Nullable String encoding,
      long bytesMax,
      RequestBytes.Reservation reservation,
      RequestFiles files) {
    this.source = source;
    this.encoding = encoding;
    this.bytesMax = bytesMax;
    this.reservation = reservation;
    this.files = files;
  }

  @Override
  public InputStream open() throws IOException {
    if (encoding == null) {
      return source.open();
    }
    try {
      return new Decoded(BodyCompression.decoder(encoding, source.open()), encoding, bytesMax);
    } catch (IOException e) {
      throw BodyCompression.broken(encoding, e);
    }
  }

  @Override
  public long partBytes() {
    return files.memoryBytes();
  }

  @Override
  public void reserve(long bytes) {
    reservation.add(bytes);
  }

  @Override
  public SpoolFile file() throws IOException {
    return files.createForAnswer();
  }

  /// Counts what comes out of a decoder, and blames the client for what does not.
  private static final class Decoded extends FilterInputStream {
    private final String encoding;
    private final long bytesMax;
    private long length;

    Decoded(InputStream in, String encoding, long bytesMax) {
      super(in);
      this.encoding = encoding;
      this.bytesMax = bytesMax;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
      try {
        int read = super.read(into, offset, count);
        length += Math.max(0, read);
        if (length > bytesMax) {
          throw BodyCompression.tooLong(length, bytesMax);
        }
        return read;
      } catch (IOException e) {
        throw BodyCompression.broken(encoding, e);
      }
    }
  }
}
