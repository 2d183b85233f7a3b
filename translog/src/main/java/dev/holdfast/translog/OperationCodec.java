package dev.holdfast.translog;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Operations as bytes: kind (1 byte), sequence number and version (variable-length), id, routing,
/// source.
final class OperationCodec {
  private static final int KIND_INDEX = 1;
  private static final int KIND_APPEND = 2;
  private static final int KIND_INDEX_ROUTED = 3;
  private static final int KIND_DELETE = 4;

  private OperationCodec() {}

  static void write(PagedBytes out, Operation operation) {
    switch (operation) {
      case Operation.Index index -> {
        int kind =
            index.routing() != null
                ? KIND_INDEX_ROUTED
                : index.isAppend() ? KIND_APPEND : KIND_INDEX;
        out.writeByte(kind);
        out.writeVLong(index.seqNo());
        out.writeVLong(index.version());
        out.writeString(index.id());
        if (index.routing() != null) {
          out.writeString(index.routing());
        }
        out.writeVLong(index.length());
        out.writeBytes(index.bytes(), index.offset(), index.length());
      }
      case Operation.Delete delete -> {
        out.writeByte(KIND_DELETE);
        out.writeVLong(delete.seqNo());
        out.writeVLong(delete.version());
        out.writeString(delete.id());
      }
    }
  }

  /// Reads one operation after another from bytes that have passed their checksum.
  static final class Reader {
    private final byte[] bytes;
    private int position;

    Reader(byte[] bytes) {
      this.bytes = bytes;
    }

    boolean hasNext() {
      return position < bytes.length;
    }

    Operation next() throws IOException {
      int kind = bytes[position++];
      long seqNo = readVLong();
      long version = readVLong();
      String id = readString();
      return switch (kind) {
        case KIND_DELETE -> new Operation.Delete(seqNo, version, id);
        case KIND_INDEX, KIND_APPEND, KIND_INDEX_ROUTED -> {
          String routing = kind == KIND_INDEX_ROUTED ? readString() : null;
          int length = (int) readVLong();
          int offset = position;
          position += length;
          yield new Operation.Index(
              seqNo, version, id, routing, kind == KIND_APPEND, bytes, offset, length);
        }
        default -> throw new IOException("translog operation of unknown kind [kind=" + kind + "]");
      };
    }

    private String readString() {
      int length = (int) readVLong();
      String text = new String(bytes, position, length, StandardCharsets.UTF_8);
      position += length;
      return text;
    }

    private long readVLong() {
      long value = 0;
      for (int shift = 0; ; shift += 7) {
        byte b = bytes[position++];
        value |= (long) (b & 0x7f) << shift;
        if (b >= 0) {
          return value;
        }
      }
    }
  }
}
