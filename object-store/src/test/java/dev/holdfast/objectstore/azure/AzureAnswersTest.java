package dev.holdfast.objectstore.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.TryTime;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Caches and gateways that answer otherwise than Azure does.
final class AzureAnswersTest {
  private final World world = RealWorld.create();
  private final byte[] object = new byte[100];
  private HttpServer server;
  private ObjectStore store;
  private volatile int status;
  private volatile String range = "";
  private volatile byte[] answer = new byte[0];

  /// Nothing is answered before.
  private volatile CountDownLatch silence = new CountDownLatch(0);

  @BeforeEach
  void start() throws Exception {
    for (int i = 0; i < object.length; i++) {
      object[i] = (byte) i;
    }
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          awaitEnd();
          Headers headers = exchange.getResponseHeaders();
          headers.set("ETag", "\"1\"");
          headers.set("Last-Modified", "Thu, 26 Nov 2026 12:00:00 GMT");
          headers.set("Content-Type", "application/octet-stream");
          headers.set("x-ms-blob-type", "BlockBlob");
          if (!range.isEmpty()) {
            headers.set("Content-Range", range);
          }
          exchange.sendResponseHeaders(status, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    String endpoint =
        "http://127.0.0.1:" + server.getAddress().getPort() + "/account?sv=2024-11-04&sig=x";
    store =
        Stores.open(
            "az://container/p", new TreeMap<>(Map.of("store.azure.endpoint", endpoint)), world);
  }

  @AfterEach
  void stop() {
    store.close();
    server.stop(0);
    world.tasks().close();
  }

  private void awaitEnd() throws IOException {
    try {
      silence.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private byte[] slice(int from, int to) {
    return Arrays.copyOfRange(object, from, to);
  }

  @Test
  void theBytesThatWereAskedForAreTaken() throws Exception {
    status = 206;
    range = "bytes 10-14/100";
    answer = slice(10, 15);
    assertThat(store.getRange("k", 10, 5)).isEqualTo(slice(10, 15));

    range = "bytes 98-99/100";
    answer = slice(98, 100);
    assertThat(store.getRange("k", 98, 10)).isEqualTo(slice(98, 100));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes 11-15/100", "bytes 10-12/100", "bytes 0-4/100"})
  void otherBytesThanThoseAskedForAreNoAnswer(String said) {
    status = 206;
    range = said;
    answer = slice(10, 15);

    assertThatThrownBy(() -> store.getRange("k", 10, 5))
        .isInstanceOf(StoreException.Unavailable.class);
  }

  @Test
  void fromAnAnswerWithTheWholeObjectTheRangeIsCut() throws Exception {
    status = 200;
    answer = object;

    assertThat(store.getRange("k", 10, 5)).isEqualTo(slice(10, 15));
    assertThat(store.getRange("k", 98, 10)).isEqualTo(slice(98, 100));
  }

  @Test
  void aTryThatIsBoundedEndsThoughNothingIsAnswered() {
    silence = new CountDownLatch(1);
    Duration bound = Duration.ofMillis(100);

    assertThatThrownBy(
            () -> TryTime.within(bound, () -> store.putIfAbsent("k", ObjectBody.of(object))))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasRootCauseInstanceOf(TimeoutException.class);
    assertThatThrownBy(() -> TryTime.within(bound, () -> store.get("k")))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasRootCauseInstanceOf(TimeoutException.class);
    silence.countDown();
  }
}
