package dev.holdfast.compoundcommit;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.IndexInput;

/// A file in a batch: where it begins there, and an input that stays readable after Lucene or the
/// engine has deleted the local file.
record BatchedFile(String name, long start, IndexInput bytes) implements Closeable {
  /// Files up to this size are copied to the heap: a mapping each would cost more, and a process
  /// has only so many.
  private static final int COPIED_BYTES_MAX = 16 << 10;

  /// Takes over `in`.
  static BatchedFile of(String name, long start, IndexInput in) throws IOException {
    if (in.length() > COPIED_BYTES_MAX) {
      return new BatchedFile(name, start, in);
    }
    try (in) {
      byte[] copy = new byte[(int) in.length()];
      in.clone().readBytes(copy, 0, copy.length);
      ByteBuffersDataInput heap =
          new ByteBuffersDataInput(java.util.List.of(ByteBuffer.wrap(copy)));
      return new BatchedFile(name, start, new ByteBuffersIndexInput(heap, name));
    }
  }

  long length() {
    return bytes.length();
  }

  long end() {
    return start + bytes.length();
  }

  /// Reads through a clone: any number of threads at once.
  void read(long offset, byte[] into, int intoOffset, int length) throws IOException {
    IndexInput in = bytes.clone();
    in.seek(offset);
    in.readBytes(into, intoOffset, length);
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
