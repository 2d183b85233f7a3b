package dev.holdfast.http.server;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// Answers as gzip (RFC 1952), each in one go. The native compressors are kept for the next answer:
/// making one costs as much as compressing a short answer.
final class Gzip {
  /// The fastest: the network is seldom as dear as the processor.
  private static final int LEVEL = Deflater.BEST_SPEED;

  private static final int IDLE_MAX = 16;
  private static final byte[] HEADER = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 4, -1};
  private static final int TRAILER_BYTES = 8;

  private static final ArrayBlockingQueue<Deflater> IDLE = new ArrayBlockingQueue<>(IDLE_MAX);

  private Gzip() {}

  /// The first `length` bytes, compressed.
  static byte[] encode(byte[] bytes, int length) {
    byte[] out = Arrays.copyOf(HEADER, HEADER.length + length / 3 + 256);
    int written = HEADER.length;
    Deflater idle = IDLE.poll();
    Deflater deflater = idle == null ? new Deflater(LEVEL, true) : idle;
    try {
      deflater.setInput(bytes, 0, length);
      deflater.finish();
      while (!deflater.finished()) {
        if (out.length - written < TRAILER_BYTES + 1) {
          out = Arrays.copyOf(out, 2 * out.length);
        }
        written += deflater.deflate(out, written, out.length - written - TRAILER_BYTES);
      }
    } finally {
      deflater.reset();
      if (!IDLE.offer(deflater)) {
        deflater.end();
      }
    }
    CRC32 checksum = new CRC32();
    checksum.update(bytes, 0, length);
    ByteBuffer.wrap(out, written, TRAILER_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt((int) checksum.getValue())
        .putInt(length);
    return Arrays.copyOf(out, written + TRAILER_BYTES);
  }
}
