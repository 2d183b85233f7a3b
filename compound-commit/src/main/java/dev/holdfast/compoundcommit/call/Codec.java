package dev.holdfast.compoundcommit.call;

import java.io.IOException;

/// How values of one kind travel between nodes, which may be of different builds.
///
/// What has members is a [#record]: a member that comes later is written last, and read with a
/// default where it is absent: `in.hasMore() ? in.readVInt() : 0`. Members are never removed,
/// reordered or changed. What has none (a number, a text, an id) is a [#word], which stays as it is
/// for ever.
public interface Codec<T> {
  void write(WireOutput out, T value) throws IOException;

  T read(WireInput in) throws IOException;

  /// Writes a value that a message consists of: it ends with the message.
  default void writeWhole(WireOutput out, T value) throws IOException {
    write(out, value);
  }

  /// Reads a value that a message consists of.
  default T readWhole(WireInput in) throws IOException {
    return read(in);
  }

  /// A codec of something without members.
  static <T> Codec<T> word(Writer<T> writer, Reader<T> reader) {
    return new Codec<>() {
      @Override
      public void write(WireOutput out, T value) throws IOException {
        writer.write(out, value);
      }

      @Override
      public T read(WireInput in) throws IOException {
        return reader.read(in);
      }
    };
  }

  /// A codec of something with members, to which more may be added.
  static <T> Codec<T> record(Writer<T> writer, Reader<T> reader) {
    return new Codec<>() {
      @Override
      public void write(WireOutput out, T value) throws IOException {
        int begin = out.begin();
        writer.write(out, value);
        out.end(begin);
      }

      @Override
      public T read(WireInput in) throws IOException {
        int outer = in.begin();
        T value = reader.read(in);
        in.end(outer);
        return value;
      }

      @Override
      public void writeWhole(WireOutput out, T value) throws IOException {
        writer.write(out, value);
      }

      @Override
      public T readWhole(WireInput in) throws IOException {
        return reader.read(in);
      }
    };
  }

  /// Writes a value.
  @FunctionalInterface
  interface Writer<T> {
    void write(WireOutput out, T value) throws IOException;
  }

  /// Reads a value.
  @FunctionalInterface
  interface Reader<T> {
    T read(WireInput in) throws IOException;
  }
}
