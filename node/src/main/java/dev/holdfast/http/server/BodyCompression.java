package dev.holdfast.http.server;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import dev.holdfast.http.ByteSink;
import dev.holdfast.http.RequestBody;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/// Compressed bodies: gzip and zstd, both ways; deflate is read too.
final class BodyCompression {
  /// Answers shorter than this are sent as they are.
  private static final int ANSWER_BYTES_MIN = 1024;

  /// From how many bytes on an answer is compressed piece by piece.
  static final int LONG_BYTES = 1 << 20;

  private static final int ZSTD_LEVEL = 1;

  /// How far back a body in zstd may refer, as a power of two: 8 MiB, which is all that HTTP may
  /// expect (RFC 9659). A few bytes could ask for 128 MiB beside the heap.
  private static final int WINDOW_LOG_MAX = 23;

  private static final int STEP_BYTES = 64 << 10;

  private static final int ZLIB_HEADER_BYTES = 2;

  private BodyCompression() {}

  /// The body without its `Content-Encoding`.
  ///
  /// @param bytesMax longest body after decompression
  /// @param reservation takes each piece before it is decompressed
  /// @throws Refusal 413 when it becomes too long, 429 when the reservation refuses, 400 when it is
  ///   broken
  static RequestBody decode(
      String encoding, RequestBody body, long bytesMax, RequestBytes.Reservation reservation) {
    RequestBody decoded = decode(encoding, body, bytesMax, bytesMax, reservation);
    return Objects.requireNonNull(decoded);
  }

  /// The same; null when it becomes longer than fits into memory, and nothing is held then.
  ///
  /// @param memoryBytes from how much on it is too long for memory
  static @Nullable RequestBody decode(
      String encoding,
      RequestBody body,
      long bytesMax,
      long memoryBytes,
      RequestBytes.Reservation reservation) {
    try (InputStream in = decoder(encoding, body.stream())) {
      byte[] decoded = new byte[0];
      int length = 0;
      while (true) {
        if (length == decoded.length) {
          if (length >= memoryBytes && memoryBytes < bytesMax) {
            reservation.give(length);
            return null;
          }
          int more = Math.max(STEP_BYTES, length);
          reservation.add(more);
          decoded = Arrays.copyOf(decoded, Math.addExact(length, more));
        }
        int read = in.read(decoded, length, decoded.length - length);
        if (read < 0) {
          return RequestBody.received(decoded, length);
        }
        length += read;
        if (length > bytesMax) {
          throw tooLong(length, bytesMax);
        }
      }
    } catch (IOException e) {
      throw broken(encoding, e);
    }
  }

  static Refusal broken(String encoding, IOException cause) {
    return new Refusal(
        ErrorType.ILLEGAL_ARGUMENT, "cannot decompress the request body as " + encoding, cause);
  }

  static Refusal tooLong(long bytes, long bytesMax) {
    return new Refusal(
        ErrorType.CONTENT_TOO_LARGE,
        "entity content is too long ["
            + bytes
            + "] for the configured limit [http.max_content_length="
            + new ByteSize(bytesMax)
            + "]");
  }

  static InputStream decoder(String encoding, InputStream in) throws IOException {
    return switch (encoding.trim().toLowerCase(Locale.ROOT)) {
      case "gzip", "x-gzip" -> new GZIPInputStream(in, STEP_BYTES);
      case "deflate" -> inflated(in);
      case "zstd" -> new ZstdInputStream(in).setLongMax(WINDOW_LOG_MAX);
      default ->
          throw new ContentNegotiation.Unsupported(
              "Content-Encoding header [" + encoding + "] is not supported");
    };
  }

  /// By RFC 9110 what zlib writes (RFC 1950); many clients send the blocks alone (RFC 1951).
  private static InputStream inflated(InputStream in) throws IOException {
    PushbackInputStream body = new PushbackInputStream(in, ZLIB_HEADER_BYTES);
    byte[] header = body.readNBytes(ZLIB_HEADER_BYTES);
    body.unread(header);
    boolean isZlib =
        header.length == ZLIB_HEADER_BYTES
            && (header[0] & 0x0f) == Deflater.DEFLATED
            && ((header[0] & 0xff) << 8 | (header[1] & 0xff)) % 31 == 0;
    Inflater inflater = new Inflater(!isZlib);
    return new InflaterInputStream(body, inflater, STEP_BYTES) {
      @Override
      public void close() throws IOException {
        try {
          super.close();
        } finally {
          inflater.end(); // its memory lies beside the heap
        }
      }
    };
  }

  /// The encoding to answer in, or null for none.
  static @Nullable String encodingFor(@Nullable String acceptEncoding, int length) {
    if (acceptEncoding == null || length < ANSWER_BYTES_MIN) {
      return null;
    }
    boolean gzip = false;
    for (String part : acceptEncoding.toLowerCase(Locale.ROOT).split(",", -1)) {
      String[] words = part.replace(" ", "").split(";", -1);
      boolean isRefused = words.length > 1 && words[1].matches("q=0(\\.0*)?");
      if (words[0].equals("zstd") && !isRefused) {
        return "zstd";
      }
      gzip |= words[0].equals("gzip") && !isRefused;
    }
    return gzip ? "gzip" : null;
  }

  /// Compresses what is written there; closing it ends both.
  static OutputStream encoding(String encoding, OutputStream out) throws IOException {
    return encoding.equals("zstd")
        ? new ZstdOutputStream(out, ZSTD_LEVEL)
        : new GZIPOutputStream(out, STEP_BYTES);
  }

  /// A long answer, piece by piece, asking for the memory of what comes of it. Compressors are
  /// handed arrays themselves, and no collection begins before they are done: a piece is short.
  static ByteSink encodeLong(String encoding, byte[] bytes, int length) throws IOException {
    ByteSink sink = new ByteSink();
    try (OutputStream out = encoding(encoding, sink)) {
      for (int at = 0; at < length; at += STEP_BYTES) {
        StopSignal.lookForCancelling();
        out.write(bytes, at, Math.min(STEP_BYTES, length - at));
      }
    }
    return sink;
  }

  /// An answer that is not long, in one go.
  static byte[] encode(String encoding, byte[] bytes, int length) throws IOException {
    if (encoding.equals("zstd")) {
      byte[] into = new byte[(int) Zstd.compressBound(length)];
      long size = Zstd.compressByteArray(into, 0, into.length, bytes, 0, length, ZSTD_LEVEL);
      if (Zstd.isError(size)) {
        throw new IOException("cannot compress the answer: " + Zstd.getErrorName(size));
      }
      return Arrays.copyOf(into, (int) size);
    }
    return Gzip.encode(bytes, length);
  }
}
