package dev.holdfast.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.http.ByteSink;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.Refusal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/// gzip of answers.
final class GzipTest {
  @Test
  void whateverIsCompressedComesBack() throws IOException {
    Random random = new Random(7);
    for (int length : new int[] {0, 1, 300, 1024, 70_000, 1_000_000}) {
      byte[] incompressible = new byte[length + 9];
      random.nextBytes(incompressible);
      byte[] repetitive = new byte[length + 9];
      for (int i = 0; i < repetitive.length; i++) {
        repetitive[i] = (byte) ('a' + i % 7);
      }
      for (byte[] bytes : Arrays.asList(incompressible, repetitive)) {
        assertThat(decoded(Gzip.encode(bytes, length))).isEqualTo(Arrays.copyOf(bytes, length));
      }
    }
  }

  /// In pieces, and no more of them than there is memory for.
  @Test
  void longAnswersAreCompressedInPieces() throws IOException {
    byte[] bytes = new byte[3 << 20];
    new Random(7).nextBytes(bytes);
    for (String encoding : new String[] {"gzip", "zstd"}) {
      ByteSink compressed = BodyCompression.encodeLong(encoding, bytes, bytes.length - 9);
      byte[] whole = Arrays.copyOf(compressed.array(), compressed.length());
      try (InputStream in = BodyCompression.decoder(encoding, new ByteArrayInputStream(whole))) {
        assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOf(bytes, bytes.length - 9));
      }

      assertThatThrownBy(() ->
              RequestMemory.<ByteSink, IOException>during(
                  new CircuitBreaker("request", 1 << 20),
                  "<answer>",
                  () -> BodyCompression.encodeLong(encoding, bytes, bytes.length)))
          .isInstanceOf(Refusal.class);
    }
  }

  private static byte[] decoded(byte[] gzip) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
      return in.readAllBytes();
    }
  }
}
