package dev.holdfast.objectstore;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/// The bytes of an object to be written; can be read again from the start, for retries.
public interface ObjectBody {
  long length();

  /// A fresh stream over all bytes; the caller closes it.
  InputStream open() throws IOException;

  static ObjectBody of(byte[] bytes) {
    return of(bytes, 0, bytes.length);
  }

  /// A file of `length` bytes, which does not change.
  static ObjectBody of(Path file, long length) {
    return new ObjectBody() {
      @Override
      public long length() {
        return length;
      }

      @Override
      public InputStream open() throws IOException {
        return Files.newInputStream(file);
      }
    };
  }

  /// A view: the caller must not change the bytes afterwards.
  static ObjectBody of(byte[] bytes, int offset, int length) {
    return new ObjectBody() {
      @Override
      public long length() {
        return length;
      }

      @Override
      public InputStream open() {
        return new ByteArrayInputStream(bytes, offset, length);
      }
    };
  }

  /// Views, one after the other; the caller must not change the bytes afterwards.
  ///
  /// @param parts have arrays
  static ObjectBody of(List<ByteBuffer> parts) {
    long length = parts.stream().mapToLong(ByteBuffer::remaining).sum();
    return new ObjectBody() {
      @Override
      public long length() {
        return length;
      }

      @Override
      public InputStream open() {
        return new SequenceInputStream(
            Collections.enumeration(
                parts.stream()
                    .map(part ->
                        new ByteArrayInputStream(
                            part.array(), part.arrayOffset() + part.position(), part.remaining()))
                    .toList()));
      }
    };
  }
}
