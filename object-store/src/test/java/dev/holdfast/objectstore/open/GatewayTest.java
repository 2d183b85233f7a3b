package dev.holdfast.objectstore.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.objectstore.ObjectBody;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.Parts;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.StoreFailure;
import dev.holdfast.world.World;
import dev.holdfast.world.real.RealWorld;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A load balancer whose servers are gone answers that nothing exists: that is nothing about the
/// objects of a store. Taken for it, a cluster would have lost all it has. A network that wants a
/// password answers that all is well: taken for the store, it would acknowledge writes.
final class GatewayTest {
  private static final byte[] PAGE =
      "<html><head><title>404 Not Found</title></head><body>nginx</body></html>"
          .getBytes(StandardCharsets.UTF_8);

  private final World world = RealWorld.create();
  private HttpServer gateway;
  private volatile int status;

  @BeforeEach
  void start() throws Exception {
    for (String name : List.of("aws.accessKeyId", "aws.secretAccessKey")) {
      System.setProperty(name, System.getProperty(name, "test"));
    }
    gateway = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    gateway.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().set("Content-Type", "text/html");
          boolean hasBody = !exchange.getRequestMethod().equals("HEAD");
          exchange.sendResponseHeaders(status, hasBody ? PAGE.length : -1);
          if (hasBody) {
            exchange.getResponseBody().write(PAGE);
          }
          exchange.close();
        });
    gateway.start();
  }

  @AfterEach
  void stop() throws Exception {
    gateway.stop(0);
    world.tasks().close();
  }

  private static void assertGateway(ThrowingCallable request) {
    assertThatThrownBy(request)
        .isInstanceOfSatisfying(
            StoreException.Unavailable.class,
            e -> assertThat(e.failure()).as(e.toString()).isEqualTo(StoreFailure.GATEWAY));
  }

  @ParameterizedTest
  @CsvSource({
    "s3://bucket/a, 404",
    "s3://bucket/a, 400",
    "s3://bucket/a, 405",
    "s3://bucket/a, 200",
    "az://container/x, 200",
    "az://container/x, 404",
    "az://container/x, 400"
  })
  void whatIsBetweenSaysNothingOfObjects(String url, int answer) throws Exception {
    status = answer;
    String endpoint = "http://127.0.0.1:" + gateway.getAddress().getPort();
    ObjectBody inParts = ObjectBody.of(new byte[Math.toIntExact(Parts.WHOLE_BYTES_MAX + 1)]);
    TreeMap<String, String> options = new TreeMap<>();
    String own = url.substring(0, 2);
    options.putAll(
        switch (own) {
          case "s3" -> Map.of("store.s3.endpoint", endpoint, "store.s3.region", "us-east-1");
          default -> Map.of("store.azure.endpoint", endpoint + "/account?sv=1&sig=x");
        });
    try (ObjectStore store = Stores.open(url, options, world)) {
      assertGateway(() -> store.get("k"));
      assertGateway(() -> store.getSuffix("k", 10));
      assertGateway(() -> store.getRange("k", 0, 10));
      assertGateway(() -> store.list("k/", "", 10));
      assertGateway(() -> store.putIfAbsent("k", ObjectBody.of(PAGE)));
      if (own.equals("s3") && answer == 200) {
        assertGateway(() -> store.put("k", inParts));
        assertGateway(() -> store.copy("k", "l"));
      }
      assertGateway(() -> store.deleteAll(List.of("k")));
      assertGateway(() -> store.compareAndSet("k", new ObjectStore.Version("\"1\""), PAGE));
    }
  }
}
