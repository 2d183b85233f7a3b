package dev.holdfast.compoundcommit.call;

import java.io.IOException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/// How values of one kind travel between nodes.
public interface Codec<T> {
  void write(DataOutput out, T value) throws IOException;

  T read(DataInput in) throws IOException;

  /// A codec of two methods.
  static <T> Codec<T> of(Writer<T> writer, Reader<T> reader) {
    return new Codec<>() {
      @Override
      public void write(DataOutput out, T value) throws IOException {
        writer.write(out, value);
      }

      @Override
      public T read(DataInput in) throws IOException {
        return reader.read(in);
      }
    };
  }

  /// Writes a value.
  @FunctionalInterface
  interface Writer<T> {
    void write(DataOutput out, T value) throws IOException;
  }

  /// Reads a value.
  @FunctionalInterface
  interface Reader<T> {
    T read(DataInput in) throws IOException;
  }
}
