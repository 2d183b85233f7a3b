package dev.holdfast.objectstore.google;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.open.Stores;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Servers and gateways that answer otherwise than Google does.
final class GoogleAnswersTest {
  private static final String OBJECT =
      "{\"kind\":\"storage#object\",\"id\":\"bucket/p/k/1\",\"name\":\"p/k\",\"bucket\":\"bucket\","
          + "\"generation\":\"1\",\"size\":\"100\"}";

  private final World world = RealWorld.create();
  private HttpServer server;
  private ObjectStore store;
  private volatile int sent;

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          boolean isData = String.valueOf(exchange.getRequestURI().getQuery()).contains("media");
          byte[] body = isData ? new byte[sent] : OBJECT.getBytes(StandardCharsets.UTF_8);
          exchange
              .getResponseHeaders()
              .set("Content-Type", isData ? "application/octet-stream" : "application/json");
          exchange.sendResponseHeaders(isData ? 206 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    String endpoint = "http://127.0.0.1:" + server.getAddress().getPort();
    store =
        Stores.open("gs://bucket/p", new TreeMap<>(Map.of("store.gcs.endpoint", endpoint)), world);
  }

  @AfterEach
  void stop() {
    store.close();
    server.stop(0);
    world.tasks().close();
  }

  @Test
  void aSuffixThatIsCutOffIsNoAnswer() throws Exception {
    sent = 5;
    assertThat(store.getSuffix("k", 5).bytes()).hasSize(5);

    sent = 3;
    assertThatThrownBy(() -> store.getSuffix("k", 5))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("cut off after 3 of 5 bytes");
  }

  @Test
  void aRangeThatIsCutOffIsNoAnswer() throws Exception {
    sent = 5;
    assertThat(store.getRange("k", 10, 5)).hasSize(5);
    assertThat(store.getRange("k", 95, 20)).as("up to the object's end").hasSize(5);

    sent = 3;
    assertThatThrownBy(() -> store.getRange("k", 10, 5))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("cut off after 3 of 5 bytes");
    assertThatThrownBy(() -> store.getRange("k", 95, 20))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("cut off after 3 of 5 bytes");
  }
}
