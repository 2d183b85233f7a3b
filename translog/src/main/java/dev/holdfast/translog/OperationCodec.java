package dev.holdfast.translog;

import dev.holdfast.translog.Operation.Sent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Operations as bytes: kind (1 byte), sequence number and version (variable-length), id, routing,
/// source.
///
/// Where they came from is written once for those that follow each other in a write: an *origin*
/// goes before the first, a *skip* before one that does not follow the one before it. So a document
/// in a bulk costs nothing, and one alone some 14 bytes.
final class OperationCodec {
  private static final int KIND_INDEX = 1;
  private static final int KIND_APPEND = 2;
  private static final int KIND_INDEX_ROUTED = 3;
  private static final int KIND_DELETE = 4;

  /// The write that what follows is part of: node (8 bytes), number, what the oldest is below it,
  /// and the place of the first.
  private static final int KIND_ORIGIN = 5;

  /// The place of the next operation in the write.
  private static final int KIND_SKIP = 6;

  /// Set in the kind of an operation whose document was there before.
  private static final int FOUND = 0x40;

  private OperationCodec() {}

  /// Writes the operations of a frame.
  static final class Writer {
    private final PagedBytes out;
    private WriteOrigin origin = WriteOrigin.NONE;
    private int next;

    Writer(PagedBytes out) {
      this.out = out;
    }

    void write(Operation operation) {
      place(operation.sent());
      int found = operation.sent().found() ? FOUND : 0;
      switch (operation) {
        case Operation.Index index -> {
          int kind =
              index.routing() != null
                  ? KIND_INDEX_ROUTED
                  : index.isAppend() ? KIND_APPEND : KIND_INDEX;
          out.writeByte(kind | found);
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
          out.writeByte(KIND_DELETE | found);
          out.writeVLong(delete.seqNo());
          out.writeVLong(delete.version());
          out.writeString(delete.id());
        }
      }
    }

    private void place(Sent sent) {
      if (!sent.origin().equals(origin)) {
        origin = sent.origin();
        out.writeByte(KIND_ORIGIN);
        out.writeInt((int) (origin.node() >>> 32));
        out.writeInt((int) origin.node());
        out.writeVLong(origin.number());
        out.writeVLong(origin.number() - origin.oldest());
        out.writeVLong(sent.ordinal());
      } else if (sent.ordinal() != next && !origin.isNone()) {
        out.writeByte(KIND_SKIP);
        out.writeVLong(sent.ordinal());
      }
      next = sent.ordinal() + 1;
    }
  }

  /// Reads one operation after another from bytes that have passed their checksum.
  static final class Reader {
    private final byte[] bytes;
    private int position;
    private WriteOrigin origin = WriteOrigin.NONE;
    private int next;

    Reader(byte[] bytes) {
      this.bytes = bytes;
    }

    boolean hasNext() {
      return position < bytes.length;
    }

    Operation next() throws IOException {
      int first = bytes[position++];
      while (first == KIND_ORIGIN || first == KIND_SKIP) {
        if (first == KIND_ORIGIN) {
          readOrigin();
        }
        next = (int) readVLong();
        first = bytes[position++];
      }
      int kind = first & ~FOUND;
      boolean found = (first & FOUND) != 0;
      Sent sent =
          origin.isNone() && !found
              ? Sent.ONCE
              : new Sent(origin, origin.isNone() ? 0 : next++, found);
      long seqNo = readVLong();
      long version = readVLong();
      String id = readString();
      return switch (kind) {
        case KIND_DELETE -> new Operation.Delete(seqNo, version, id, sent);
        case KIND_INDEX, KIND_APPEND, KIND_INDEX_ROUTED -> {
          String routing = kind == KIND_INDEX_ROUTED ? readString() : null;
          int length = (int) readVLong();
          int offset = position;
          position += length;
          yield new Operation.Index(
              seqNo, version, id, routing, kind == KIND_APPEND, bytes, offset, length, sent);
        }
        default -> throw new IOException("translog operation of unknown kind [kind=" + kind + "]");
      };
    }

    private void readOrigin() {
      long node = ((long) readInt() << 32) | (readInt() & 0xffffffffL);
      long number = readVLong();
      origin = new WriteOrigin(node, number, number - readVLong());
    }

    private int readInt() {
      int value = 0;
      for (int i = 0; i < 4; i++) {
        value = (value << 8) | (bytes[position++] & 0xff);
      }
      return value;
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
