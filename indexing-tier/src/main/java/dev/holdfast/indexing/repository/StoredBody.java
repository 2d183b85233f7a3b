package dev.holdfast.indexing.repository;

import dev.holdfast.objectstore.BodyException;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/// An object of one store as it is written to another: read range by range while it is written.
///
/// @param length of the object, which never changes
public record StoredBody(ObjectStore from, String key, long length) implements ObjectBody {
  private static final int RANGE = 4 << 20;

  /// The object, or the file that it is.
  public static ObjectBody of(ObjectStore from, String key, long length) {
    Optional<Path> file = from.localFile(key);
    return file.isPresent() ? ObjectBody.of(file.get(), length) : new StoredBody(from, key, length);
  }

  @Override
  public InputStream open() {
    return new InputStream() {
      private byte[] range = new byte[0];
      private int at;
      private long read;

      @Override
      public int read() throws IOException {
        return fill() ? range[at++] & 0xff : -1;
      }

      @Override
      public int read(byte[] to, int offset, int wanted) throws IOException {
        Objects.checkFromIndexSize(offset, wanted, to.length);
        if (wanted == 0) {
          return 0;
        }
        if (!fill()) {
          return -1;
        }
        int some = Math.min(wanted, range.length - at);
        System.arraycopy(range, at, to, offset, some);
        at += some;
        return some;
      }

      private boolean fill() throws IOException {
        if (at == range.length && read < length) {
          range = next((int) Math.min(RANGE, length - read));
          if (range.length == 0) {
            throw new BodyException(
                new IOException("an object is shorter than it was [key=" + key + "]"));
          }
          read += range.length;
          at = 0;
        }
        return at < range.length;
      }

      // The store that is written to has no part in what this one fails: its request is not to be
      // sent again for that without end.
      private byte[] next(int wanted) throws IOException {
        try {
          return from.getRange(key, read, wanted);
        } catch (StoreException.Unavailable e) {
          throw new BodyException(e);
        }
      }
    };
  }
}
