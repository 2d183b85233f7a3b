package dev.holdfast.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import dev.holdfast.http.server.HttpCounters;
import dev.holdfast.http.server.HttpLimits;
import dev.holdfast.http.server.HttpServer;
import dev.holdfast.http.server.RequestBytes;
import dev.holdfast.world.ByteSize;
import dev.holdfast.world.Network.UnreachableException;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What becomes of calls of those who do not know the secret of the cluster, or send again what
/// they have heard.
@Timeout(60)
final class ClosedCallsTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final byte[] SECRET = "a secret".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] BODY = "a question".getBytes(StandardCharsets.US_ASCII);

  private final World world = RealWorld.create();
  private final AtomicReference<byte[]> stored = new AtomicReference<>(SECRET);
  private final AtomicInteger answered = new AtomicInteger();
  private final HttpClient client = HttpClient.newHttpClient();
  private RpcNetwork network;
  private HttpServer server;

  @BeforeEach
  void serve() throws Exception {
    RpcConfig config =
        new RpcConfig(ByteSize.mib(128), 10, 10, ByteSize.mib(32), Duration.ofSeconds(2), true);
    network = new RpcNetwork(world, config);
    network.protect(stored::get);
    network.serve(
        "test/count",
        request -> {
          answered.incrementAndGet();
          return request;
        });
    server =
        HttpServer.start(
            "127.0.0.1",
            0,
            HttpLimits.DEFAULT,
            network.service(),
            new RequestBytes(1 << 20),
            new HttpCounters(),
            world);
  }

  @AfterEach
  void close() {
    server.close();
    network.close();
    client.close();
    world.tasks().close();
  }

  private HttpRequest.Builder request(byte[] body) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + server.port() + "/_internal/test/count"))
        .version(HttpClient.Version.HTTP_1_1)
        .POST(BodyPublishers.ofByteArray(body));
  }

  /// A call as a node makes it.
  private HttpRequest.Builder signed(byte[] secret, long number, byte[] signed, byte[] body) {
    return signed(secret, number, signed, body, false);
  }

  private HttpRequest.Builder signed(
      byte[] secret, long number, byte[] signed, byte[] body, boolean isCompressed) {
    Signature signature = new Signature(secret);
    Signature.Head head = new Signature.Head("test/count", "caller", number, isCompressed);
    byte[] mac = signature.of(head);
    HttpRequest.Builder request =
        request(body)
            .header(RpcWire.FROM, head.from())
            .header(RpcWire.HEAD_PROOF, Signature.text(mac))
            .header(RpcWire.BODY_PROOF, Signature.text(signature.ofBody(mac, signed)));
    return isCompressed ? request.header(RpcWire.ENCODING, RpcWire.ZSTD) : request;
  }

  private int status(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString()).statusCode();
  }

  @Test
  void whoDoesNotKnowTheSecretIsNotAnswered() throws Exception {
    byte[] other = "another".getBytes(StandardCharsets.US_ASCII);

    HttpResponse<String> bare = client.send(request(BODY).build(), BodyHandlers.ofString());
    assertThat(bare.statusCode()).isEqualTo(401);
    assertThat(bare.body()).contains("security_exception");
    assertThat(status(signed(other, 1, BODY, BODY))).isEqualTo(401);
    assertThat(status(signed(SECRET, 1, BODY, "another one".getBytes(StandardCharsets.US_ASCII))))
        .isEqualTo(401);
    assertThat(status(request(BODY).header(RpcWire.FROM, "x:y").header(RpcWire.HEAD_PROOF, "")))
        .isEqualTo(401);
    assertThat(answered).hasValue(0);
    // while a call of the cluster is
    assertThat(status(signed(SECRET, 2, BODY, BODY))).isEqualTo(200);
    assertThat(answered).hasValue(1);
  }

  @Test
  void aCallThatSomebodyHasHeardIsNotAnsweredAgain() throws Exception {
    assertThat(status(signed(SECRET, 5, BODY, BODY))).isEqualTo(200);
    assertThat(status(signed(SECRET, 5, BODY, BODY))).isEqualTo(401);
    // and: calls may overtake each other
    assertThat(status(signed(SECRET, 4, BODY, BODY))).isEqualTo(200);
    assertThat(status(signed(SECRET, 4, BODY, BODY))).isEqualTo(401);
    assertThat(status(signed(SECRET, SeenCallNumbers.WINDOW + 6, BODY, BODY))).isEqualTo(200);
    assertThat(status(signed(SECRET, 3, BODY, BODY))).isEqualTo(401);
    assertThat(answered).hasValue(3);
  }

  @Test
  void whoCannotProveItsAnswerIsNotBelieved() throws Exception {
    // given: a node with another secret, which it says that the first knows, too
    RpcNetwork other = new RpcNetwork(world, RpcConfig.of(1 << 30, false));
    other.protect(() -> "another".getBytes(StandardCharsets.US_ASCII));

    assertThatThrownBy(() -> other.call("127.0.0.1:" + server.port(), "test/count", BODY, LONG))
        .isInstanceOfSatisfying(
            UnreachableException.class, e -> assertThat(e.mayHaveArrived()).isFalse());
    assertThat(answered).hasValue(0);
    other.close();
  }

  @Test
  void aChangedSecretIsReadAgainOnBothSides() throws Exception {
    // given: one that started after the secret was changed, and one that started before
    byte[] changed = "changed".getBytes(StandardCharsets.US_ASCII);
    AtomicReference<byte[]> late = new AtomicReference<>(SECRET);
    RpcNetwork before = new RpcNetwork(world, RpcConfig.of(1 << 30, false));
    before.protect(late::get);
    stored.set(changed);
    late.set(changed);
    RpcNetwork after = new RpcNetwork(world, RpcConfig.of(1 << 30, false));
    after.protect(() -> changed);
    String address = "127.0.0.1:" + server.port();
    // when: the first call makes the server look
    assertThatThrownBy(() -> after.call(address, "test/count", BODY, LONG))
        .isInstanceOf(UnreachableException.class);
    // then
    long endNanos = world.clock().nanoTime() + LONG.toNanos();
    while (answered.get() == 0) {
      assertThat(world.clock().nanoTime()).isLessThan(endNanos);
      try {
        byte[] _ = after.call(address, "test/count", BODY, LONG);
      } catch (UnreachableException e) {
        Thread.onSpinWait();
      }
    }
    assertThat(before.call(address, "test/count", BODY, LONG)).isEqualTo(BODY);
    before.close();
    after.close();
  }

  /// As a process does that may have begun over a copy of another cluster's store.
  @Test
  void whoChangesTheSecretUnderstandsTheOldOneNoMore() throws Exception {
    byte[] changed = "changed".getBytes(StandardCharsets.US_ASCII);
    AtomicReference<byte[]> copied = new AtomicReference<>(SECRET);
    RpcNetwork other = new RpcNetwork(world, RpcConfig.of(1 << 30, false));
    other.protect(
        new RpcNetwork.SecretSource() {
          @Override
          public byte[] read() {
            return copied.get();
          }

          @Override
          public byte[] change() {
            copied.set(changed);
            return changed;
          }
        });
    String address = "127.0.0.1:" + server.port();
    assertThat(other.call(address, "test/count", BODY, LONG)).isEqualTo(BODY);

    other.changeSecret();

    assertThatThrownBy(() -> other.call(address, "test/count", BODY, LONG))
        .isInstanceOf(UnreachableException.class);
    assertThat(answered).hasValue(1);
    other.close();
  }

  @Test
  void aBodyThatInflatesBeyondTheBudgetIsRefusedBeforeItIsAllocated() throws Exception {
    // given: 100 MiB in some kilobytes, where 32 may be held
    byte[] bomb = Zstd.compress(new byte[100 << 20]);
    assertThat(bomb).hasSizeLessThan(64 << 10);
    // then: not even looked at without the secret, 429 with it
    assertThat(status(request(bomb).header(RpcWire.ENCODING, RpcWire.ZSTD))).isEqualTo(401);
    HttpResponse<String> refused =
        client.send(signed(SECRET, 1, bomb, bomb, true).build(), BodyHandlers.ofString());
    assertThat(refused.statusCode()).isEqualTo(RpcWire.REFUSED);
    assertThat(refused.body()).contains("CIRCUIT_BREAKING");
    assertThat(answered).hasValue(0);
    assertThat(status(signed(SECRET, 2, BODY, BODY))).isEqualTo(200);
  }
}
