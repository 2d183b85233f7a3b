package dev.holdfast.compoundcommit.batch;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.IndexInput;

/// A file in a batch: where it begins there, and an input that stays readable after Lucene or the
/// engine has deleted the local file.
record BatchedFile(String name, long start, IndexInput bytes) implements Closeable {
  /// Files up to this size are copied to the heap: a mapping each would cost more, and a process
  /// has only so many.
  private static final int COPIED_BYTES_MAX = 16 << 10;

  /// Whether a file of that size is copied rather than mapped.
  static boolean isCopied(long length) {
    return length <= COPIED_BYTES_MAX;
  }

  /// A small local file, read whole: to map it and to unmap it again would stop every thread of the
  /// process for a moment.
  static BatchedFile copied(String name, long start, Path file) throws IOException {
    return ofHeap(name, start, Files.readAllBytes(file));
  }

  private static BatchedFile ofHeap(String name, long start, byte[] copy) {
    ByteBuffersDataInput heap = new ByteBuffersDataInput(java.util.List.of(ByteBuffer.wrap(copy)));
    return new BatchedFile(name, start, new ByteBuffersIndexInput(heap, name));
  }

  /// Takes over `in`.
  static BatchedFile of(String name, long start, IndexInput in) throws IOException {
    if (!isCopied(in.length())) {
      return new BatchedFile(name, start, in);
    }
    try (in) {
      byte[] copy = new byte[(int) in.length()];
      in.clone().readBytes(copy, 0, copy.length);
      return ofHeap(name, start, copy);
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
