package dev.holdfast.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import dev.holdfast.http.Answer;
import dev.holdfast.http.BodyRule;
import dev.holdfast.http.RequestBody;
import dev.holdfast.http.RequestMemory;
import dev.holdfast.http.Routes;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.CircuitBreaker;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.real.RealWorld;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Bodies as bytes: compressed both ways, and never more of them than the edge can hold.
final class BodyBytesTest {
  @AutoClose private static HttpFixture edge;

  @BeforeAll
  static void start() throws Exception {
    edge = HttpFixture.of(HttpRoutes.all());
  }

  /// What is answered 429 for lack of memory is told in spite of it.
  @Test
  void errorsAreToldWhateverMemoryThereIs() {
    CircuitBreaker breaker = new CircuitBreaker("request", 1);
    OutgoingResponse told =
        RequestMemory.<OutgoingResponse, RuntimeException>during(
            breaker,
            "<http_request>",
            () ->
                new Dispatcher(
                        new Routes()
                            .on(
                                "GET",
                                "/",
                                BodyRule.NONE,
                                r -> {
                                  throw Refusal.badArgument("x".repeat(60_000));
                                }),
                        HttpLimits.DEFAULT,
                        RealWorld.create().clock())
                    .dispatch(
                        new IncomingRequest(
                            "GET",
                            "/",
                            name -> null,
                            RequestBody.EMPTY,
                            null,
                            null,
                            new RequestBytes(1 << 20).begin(),
                            () -> false)));
    assertThat(told.status()).isEqualTo(400);
    assertThat(told.length()).isGreaterThan(60_000);
  }

  /// Else a supervisor would restart it, and end all that waits in it.
  @Test
  void aFullNodeIsAlive() throws Exception {
    try (HttpFixture full = new HttpFixture(HttpRoutes.all(), ByteSize.mib(1), 1)) {
      assertThat(full.get("/a/_echo").statusCode()).isEqualTo(429);
      assertThat(full.get("/_holdfast/live").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void takesCompressedBodies() throws Exception {
    String body = "{\"a\":\"" + "b".repeat(200_000) + "\"}";
    byte[] plain = body.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
      gzip.write(plain);
    }

    assertThat(compressed("gzip", zipped.toByteArray())).isEqualTo(200);
    assertThat(compressed("deflate", deflated(plain, false))).isEqualTo(200);
    assertThat(compressed("Deflate", deflated(plain, true))).as("without zlib").isEqualTo(200);
    assertThat(compressed("zstd", Zstd.compress(plain))).isEqualTo(200);
    assertThat(compressed("zstd", inWindow(23, plain))).isEqualTo(200);
    assertThat(compressed("zstd", inWindow(24, plain))).isEqualTo(400);
    assertThat(compressed("gzip", plain)).isEqualTo(400);
    assertThat(compressed("deflate", plain)).isEqualTo(400);
    assertThat(compressed("deflate", new byte[] {0x78})).as("cut off").isEqualTo(400);
    assertThat(compressed("Identity", plain)).isEqualTo(200);
    assertThat(compressed("br", plain)).isEqualTo(406);
    assertThat(compressed("deflate", deflated(new byte[8 << 20], false))).isEqualTo(413);
    assertThat(compressed("zstd", Zstd.compress(new byte[8 << 20]))).isEqualTo(413);
    assertThat(edge.requestBytes.bytes()).isZero();
  }

  /// @param isBare without the header and the checksum of zlib
  private static byte[] deflated(byte[] plain, boolean isBare) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_SPEED, isBare);
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater)) {
      out.write(plain);
    } finally {
      deflater.end();
    }
    return bytes.toByteArray();
  }

  /// @param log of how far back it may refer, whether it does or not
  private static byte[] inWindow(int log, byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZstdOutputStream zstd = new ZstdOutputStream(bytes).setLong(log)) {
      zstd.write(plain);
      zstd.flush();
    }
    return bytes.toByteArray();
  }

  /// CBOR names a text that came before in three bytes.
  @Test
  void bodiesThatAreShortOnlyInTheirOwnFormatAreRefused() throws Exception {
    assertThat(repeatedText(3)).isEqualTo(200);
    assertThat(repeatedText(100)).isEqualTo(413);
    assertThat(edge.requestBytes.bytes()).isZero();
  }

  /// A list of a text of 60,000 letters and so many references to it.
  private static int repeatedText(int references) throws Exception {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(new byte[] {(byte) 0xd9, 1, 0, (byte) 0x9f, 0x79, (byte) 0xea, 0x60});
    body.writeBytes("x".repeat(60_000).getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < references; i++) {
      body.writeBytes(new byte[] {(byte) 0xd8, 0x19, 0});
    }
    body.write(0xff);
    return edge.bytes(
            edge.request("/a/_echo")
                .header("Content-Type", "application/cbor")
                .POST(BodyPublishers.ofByteArray(body.toByteArray())))
        .statusCode();
  }

  private static int compressed(String encoding, byte[] body) throws Exception {
    return edge.send(
            edge.request("/a/_echo")
                .header("Content-Type", "application/json")
                .header("Content-Encoding", encoding)
                .POST(BodyPublishers.ofByteArray(body)))
        .statusCode();
  }

  @Test
  void compressesAnswersForClientsThatAsk() throws Exception {
    String plain = edge.get("/_big").body();
    HttpResponse<byte[]> gzip =
        edge.bytes(edge.request("/_big").header("Accept-Encoding", "gzip, deflate"));
    HttpResponse<byte[]> zstd =
        edge.bytes(edge.request("/_big").header("Accept-Encoding", "gzip, zstd"));
    HttpResponse<byte[]> small =
        edge.bytes(edge.request("/a/_echo").header("Accept-Encoding", "gzip"));

    assertThat(gzip.headers().firstValue("Content-Encoding")).hasValue("gzip");
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip.body()))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(plain);
    }
    assertThat(zstd.headers().firstValue("Content-Encoding")).hasValue("zstd");
    assertThat(new String(Zstd.decompress(zstd.body(), plain.length()), StandardCharsets.UTF_8))
        .isEqualTo(plain);
    assertThat(small.headers().firstValue("Content-Encoding")).isEmpty();
  }

  @Test
  void refusesBodiesThatAreTooLong() throws Exception {
    byte[] tooLong = new byte[(1 << 20) + 1];
    HttpResponse<String> declared =
        edge.send(
            edge.request("/a/_echo")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(tooLong)));
    HttpResponse<String> chunked =
        edge.send(
            edge.request("/a/_echo")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(tooLong))));

    assertThat(declared.statusCode()).isEqualTo(413);
    assertThat(Json.parse(declared.body()).at("/error/type").asText())
        .isEqualTo("content_too_long_exception");
    assertThat(chunked.statusCode()).isEqualTo(413);
    assertThat(edge.requestBytes.bytes()).isZero();
  }

  @Test
  void refusesMoreBytesInFlightThanAreAllowed() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Routes routes =
        new Routes()
            .on(
                "POST",
                "/slow",
                BodyRule.REQUIRED,
                r -> {
                  entered.countDown();
                  leave.await();
                  return Answer.acknowledged();
                });
    try (HttpFixture small = new HttpFixture(routes, ByteSize.mib(1), 700 << 10)) {
      String body = "\"" + "x".repeat(400 << 10) + "\"";
      Future<HttpResponse<String>> first =
          small.client.sendAsync(
              small
                  .request("/slow")
                  .header("Content-Type", "application/json")
                  .POST(BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();

      HttpResponse<String> second = small.call("POST", "/slow", "application/json", body);

      assertThat(second.statusCode()).isEqualTo(429);
      assertThat(second.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(Json.parse(second.body()).at("/error/type").asText())
          .isEqualTo("circuit_breaking_exception");
      leave.countDown();
      assertThat(first.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      assertThat(small.requestBytes.tripped()).isEqualTo(1);
    }
  }
}
