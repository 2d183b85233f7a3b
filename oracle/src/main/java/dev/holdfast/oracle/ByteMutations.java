package dev.holdfast.oracle;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Bodies that may not be JSON any more.
final class ByteMutations {
  private static final List<byte[]> BROKEN =
      List.of(
          new byte[] {(byte) 0xff},
          new byte[] {(byte) 0xc3},
          new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
          new byte[] {(byte) 0xf8, (byte) 0x88, (byte) 0x80, (byte) 0x80, (byte) 0x80},
          new byte[] {(byte) 0xc0, (byte) 0x80},
          new byte[] {0},
          new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf});

  private static final List<String> BODIES =
      List.of(
          "",
          "{",
          "}",
          "[",
          "nul",
          "null",
          "[]",
          "\"",
          "5",
          "{}{}",
          "{}\n{}\n",
          "a: b",
          "---\na: 1\n",
          "\u0000",
          ":)\n",
          "<xml/>",
          "{\"a\":}",
          "{,}",
          "{\"a\" 1}",
          "\n\n\n",
          "{\"a\":1}x");

  private ByteMutations() {}

  static OracleRequest cut(OracleRequest request, Random random) {
    byte[] body = request.body();
    return body.length == 0
        ? request
        : with(request, Arrays.copyOf(body, random.nextInt(body.length)));
  }

  static OracleRequest flip(OracleRequest request, Random random) {
    byte[] body = request.body().clone();
    for (int i = 0; body.length > 0 && i <= random.nextInt(4); i++) {
      body[random.nextInt(body.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return with(request, body);
  }

  static OracleRequest breakText(OracleRequest request, Random random) {
    byte[] body = request.body();
    int at = random.nextInt(body.length + 1);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.write(body, 0, at);
    whole.writeBytes(Mutation.any(BROKEN, random));
    whole.write(body, at, body.length - at);
    return with(request, whole.toByteArray());
  }

  /// Swaps two pieces of the text.
  static OracleRequest shuffle(OracleRequest request, Random random) {
    String[] tokens = request.text().split("(?<=[\\[\\]{},:])|(?=[\\[\\]{},:])");
    int a = random.nextInt(tokens.length);
    int b = random.nextInt(tokens.length);
    String held = tokens[a];
    tokens[a] = tokens[b];
    tokens[b] = held;
    return with(request, String.join("", tokens).getBytes(StandardCharsets.UTF_8));
  }

  static OracleRequest replace(OracleRequest request, Random random) {
    return with(request, Mutation.any(BODIES, random).getBytes(StandardCharsets.UTF_8));
  }

  private static OracleRequest with(OracleRequest request, byte[] body) {
    return new OracleRequest(request.method(), request.path(), request.contentType(), body);
  }
}
