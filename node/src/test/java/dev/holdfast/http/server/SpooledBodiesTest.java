package dev.holdfast.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.BodyRule;
import dev.holdfast.http.LargeBody;
import dev.holdfast.http.Routes;
import dev.holdfast.http.spool.Spool;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Bodies of lines that are too large for memory, however they are sent and whatever becomes of
/// them.
final class SpooledBodiesTest {
  private static final int MEMORY_BYTES = 100_000;
  private static final int IN_FLIGHT_MAX = 2_500_000;
  private static final int BODY_MAX = 8 << 20;

  /// What came: its length and checksum, and whether it was too large for memory.
  private static final Api DIGEST =
      request -> {
        LargeBody large = request.large();
        CRC32 checksum = new CRC32();
        long length = 0;
        for (int reading = 0; reading < 2; reading++) {
          checksum.reset();
          length = 0;
          try (InputStream in = large == null ? request.body().stream() : large.open()) {
            byte[] piece = new byte[10_000];
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
              checksum.update(piece, 0, read);
              length += read;
            }
          }
        }
        long total = length;
        int filler = request.integer("filler", 0);
        return Answer.of(out -> {
          out.writeStartObject();
          out.writeNumberField("length", total);
          out.writeNumberField("checksum", checksum.getValue());
          out.writeBooleanField("large", large != null);
          if (filler > 0) {
            out.writeStringField("filler", "x".repeat(filler));
          }
          out.writeEndObject();
        });
      };

  @TempDir Path folder;
  private Spool spool;
  private HttpFixture edge;

  @BeforeEach
  void start() throws Exception {
    spool = new Spool(folder, MEMORY_BYTES, 3L * BODY_MAX);
    edge = edge(spool);
  }

  private static HttpFixture edge(Spool spool) throws Exception {
    Routes routes = new Routes().on("POST", "/_bulk", BodyRule.LINES, DIGEST, "filler");
    HttpLimits limits =
        new HttpLimits(new ByteSize(BODY_MAX), 100)
            .withPatience(Duration.ofSeconds(30), Duration.ofMillis(500));
    return new HttpFixture(routes, limits, IN_FLIGHT_MAX, spool);
  }

  @AfterEach
  void stop() throws Exception {
    while (edge.counters.current() > 0 || spool.bytes() > 0) {
      Thread.onSpinWait(); // files go after the last byte of the answer; else this never ends
    }
    assertThat(edge.requestBytes.bytes()).isZero();
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
    edge.close();
  }

  private static byte[] body(int length) {
    byte[] body = new byte[length];
    for (int i = 0; i < length; i++) {
      body[i] = (byte) (i * 31 + i / 1000);
    }
    return body;
  }

  private static byte[] gzip(byte[] body) throws Exception {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(body);
    }
    return compressed.toByteArray();
  }

  private HttpRequest.Builder post(String target) {
    return edge.request(target).header("Content-Type", "application/x-ndjson");
  }

  private static void assertDigest(HttpResponse<String> answer, byte[] body, boolean isLarge) {
    CRC32 checksum = new CRC32();
    checksum.update(body);
    assertThat(answer.body())
        .isEqualTo(
            "{\"length\":"
                + body.length
                + ",\"checksum\":"
                + checksum.getValue()
                + ",\"large\":"
                + isLarge
                + "}");
  }

  @Test
  void whatFitsIntoMemoryStaysThere() throws Exception {
    for (int length : new int[] {1, 8191, MEMORY_BYTES}) {
      byte[] body = body(length);
      HttpRequest.Builder declared = post("/_bulk").POST(BodyPublishers.ofByteArray(body));
      assertDigest(edge.send(declared), body, false);
      HttpRequest.Builder chunked =
          post("/_bulk").POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)));
      assertDigest(edge.send(chunked), body, false);
    }
  }

  @Test
  void whatDoesNotGoesToAFile() throws Exception {
    for (int length : new int[] {MEMORY_BYTES + 1, 1 << 20, (1 << 20) + 1, 3 << 20, BODY_MAX}) {
      byte[] body = body(length);
      HttpRequest.Builder declared = post("/_bulk").POST(BodyPublishers.ofByteArray(body));
      assertDigest(edge.send(declared), body, true);
      HttpRequest.Builder chunked =
          post("/_bulk").POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)));
      assertDigest(edge.send(chunked), body, true);
    }
  }

  @Test
  void compressedBodiesAreAsLargeAsTheyBecome() throws Exception {
    byte[] small = body(MEMORY_BYTES / 2);
    byte[] large = new byte[BODY_MAX];
    for (byte[] body : new byte[][] {small, large}) {
      HttpRequest.Builder request =
          post("/_bulk")
              .header("Content-Encoding", "gzip")
              .POST(BodyPublishers.ofByteArray(gzip(body)));
      assertDigest(edge.send(request), body, body == large);
    }
    // Of chance, so that it goes to a file compressed.
    byte[] incompressible = new byte[3 << 20];
    new java.util.SplittableRandom(7).nextBytes(incompressible);
    HttpRequest.Builder request =
        post("/_bulk")
            .header("Content-Encoding", "gzip")
            .POST(BodyPublishers.ofByteArray(gzip(incompressible)));
    assertDigest(edge.send(request), incompressible, true);
  }

  @Test
  void whatIsTooLongIsRefusedHoweverItIsSent() throws Exception {
    byte[] body = body(BODY_MAX + 1);
    HttpRequest.Builder declared = post("/_bulk").POST(BodyPublishers.ofByteArray(body));
    HttpRequest.Builder chunked =
        post("/_bulk").POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)));
    HttpRequest.Builder bomb =
        post("/_bulk")
            .header("Content-Encoding", "gzip")
            .POST(BodyPublishers.ofByteArray(gzip(new byte[20 * BODY_MAX])));
    for (HttpRequest.Builder request : new HttpRequest.Builder[] {declared, chunked, bomb}) {
      HttpResponse<String> answer = edge.send(request);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(413);
      assertThat(answer.body()).contains("http.max_content_length");
    }
  }

  @Test
  void whatCannotBeDecodedIsRefused() throws Exception {
    byte[] whole = gzip(new byte[BODY_MAX]);
    byte[] half = java.util.Arrays.copyOf(whole, whole.length / 2);
    HttpResponse<String> answer =
        edge.send(
            post("/_bulk")
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofByteArray(half)));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("cannot decompress the request body as gzip");
  }

  @Test
  void moreThanTheFolderMayHoldIsRefused() throws Exception {
    edge.close();
    spool = new Spool(folder, MEMORY_BYTES, 5 << 20);
    edge = edge(spool);

    HttpResponse<String> answer =
        edge.send(post("/_bulk").POST(BodyPublishers.ofByteArray(body(6 << 20))));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(429);
    assertThat(answer.body()).contains("es_rejected_execution_exception", "5242880");
    byte[] next = body(200_000);
    assertDigest(edge.send(post("/_bulk").POST(BodyPublishers.ofByteArray(next))), next, true);
  }

  @Test
  void aFolderThatCannotBeWrittenToIsSaid() throws Exception {
    edge.close();
    Path file = Files.writeString(folder.resolve("file"), "");
    spool = new Spool(file, MEMORY_BYTES, BODY_MAX);
    edge = edge(spool);

    HttpResponse<String> answer =
        edge.send(post("/_bulk").POST(BodyPublishers.ofByteArray(body(2 << 20))));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(429);
    assertThat(answer.body()).contains("no file can be made in the data folder");
    Files.delete(file);
  }

  @Test
  void aClientThatLeavesLeavesNothing() throws Exception {
    try (Socket client = open("Content-Length: 6000000")) {
      client.getOutputStream().write(body(3_000_000));
      client.getOutputStream().flush();
      while (spool.bytes() == 0) {
        Thread.onSpinWait();
      }
    }
    // A request more, so that there is one that has ended.
    byte[] next = body(2_000);
    assertDigest(edge.send(post("/_bulk").POST(BodyPublishers.ofByteArray(next))), next, false);
  }

  @Test
  void aBodyThatComesTooSlowlyIsGivenUp() throws Exception {
    try (Socket client = open("Content-Length: 6000000")) {
      client.getOutputStream().write(body(3_000_000));
      client.getOutputStream().flush();
      String answer = new String(client.getInputStream().readNBytes(12), StandardCharsets.UTF_8);
      assertThat(answer).isEqualTo("HTTP/1.1 408");
    }
  }

  private Socket open(String header) throws Exception {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), edge.port());
    OutputStream out = client.getOutputStream();
    out.write(
        ("POST /_bulk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + header
                + "\r\n\r\n")
            .getBytes(StandardCharsets.UTF_8));
    return client;
  }

  @Test
  void theAnswerToALargeBodyMayBeLarge() throws Exception {
    byte[] body = body(200_000);
    HttpResponse<String> plain =
        edge.send(post("/_bulk?filler=5000000").POST(BodyPublishers.ofByteArray(body)));
    assertThat(plain.headers().firstValue("content-length")).hasValue("" + plain.body().length());
    assertThat(Json.parse(plain.body()).path("filler").asText()).hasSize(5_000_000);

    HttpResponse<byte[]> compressed =
        edge.bytes(
            post("/_bulk?filler=5000000&pretty")
                .header("Accept-Encoding", "gzip")
                .POST(BodyPublishers.ofByteArray(body)));
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed.body()))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(text).startsWith("{\n  \"length\" : 200000").endsWith("}\n");
      assertThat(Json.parse(text).path("filler").asText()).hasSize(5_000_000);
    }
  }

  @Test
  void bulksAreKnownByTheirPaths() {
    assertThat(LargeLines.isBulk("/_bulk")).isTrue();
    assertThat(LargeLines.isBulk("/_bulk?refresh")).isTrue();
    assertThat(LargeLines.isBulk("/books/_bulk?a=/_search")).isTrue();
    assertThat(LargeLines.isBulk("/a/b/_bulk")).isFalse();
    assertThat(LargeLines.isBulk("/_msearch?a=/_bulk")).isFalse();
    assertThat(LargeLines.isBulk("/x_bulk")).isFalse();
    assertThat(LargeLines.isBulk("/")).isFalse();
  }
}
