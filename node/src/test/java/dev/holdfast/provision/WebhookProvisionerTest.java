package dev.holdfast.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.autoscaler.NodeSize;
import dev.holdfast.autoscaler.TierSize;
import dev.holdfast.clusterstate.Role;
import dev.holdfast.node.NodeFixture;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Over a real HTTP server.
@Timeout(30)
final class WebhookProvisionerTest {
  /// A status that is sent, and a body that never comes.
  private static final int UNFINISHED = -1;

  private final Queue<String> bodies = new ConcurrentLinkedQueue<>();
  private final Queue<String> credentials = new ConcurrentLinkedQueue<>();
  private final AtomicInteger status = new AtomicInteger(204);
  private final SortedMap<Role, TierSize> wanted = new TreeMap<>();
  private HttpServer server;

  WebhookProvisionerTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @BeforeEach
  void listen() {
    server.createContext(
        "/sizes",
        exchange -> {
          String known = exchange.getRequestHeaders().getFirst("authorization");
          credentials.add(known == null ? "none" : known);
          bodies.add(new String(exchange.getRequestBody().readAllBytes(), "UTF-8"));
          if (status.get() == UNFINISHED) {
            exchange.sendResponseHeaders(200, 10);
            exchange.getResponseBody().write('.');
            exchange.getResponseBody().flush();
            return;
          }
          exchange.sendResponseHeaders(status.get(), -1);
          exchange.close();
        });
    server.start();
    wanted.put(Role.INDEX, new TierSize(3, NodeSize.ofCores(2)));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void tellsHowLargeEachTierShouldBe() throws Exception {
    try (Provisioner webhook = webhook(server.getAddress().getPort())) {
      webhook.provision(wanted, List.of());
    }
    JsonNode told = Json.parse(bodies.remove());
    assertThat(told.at("/tiers/index/nodes").asInt()).isEqualTo(3);
    assertThat(told.at("/tiers/index/node_cores").asDouble()).isEqualTo(2);
    assertThat(told.at("/tiers/index/node_memory_bytes").asLong()).isEqualTo(4L << 30);
    assertThat(told.at("/tiers/index/members").asInt()).isZero();
  }

  @Test
  void saysWhatWentWrong() throws Exception {
    status.set(500);
    try (Provisioner webhook = webhook(server.getAddress().getPort())) {
      assertThatThrownBy(() -> webhook.provision(wanted, List.of()))
          .isInstanceOf(IOException.class)
          .hasMessage("[autoscaling.webhook.url] answered 500");
    }
    int port = server.getAddress().getPort();
    server.stop(0);
    try (Provisioner webhook = webhook(port)) {
      assertThatThrownBy(() -> webhook.provision(wanted, List.of()))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("[autoscaling.webhook.url] cannot be reached: ")
          .hasMessageNotContaining("null");
    }
  }

  /// Decisions are made one after the other: one that waits holds up all of them.
  @Test
  void anAnswerWithoutAnEndHoldsUpNothing() throws Exception {
    status.set(UNFINISHED);
    try (Provisioner webhook = webhook(server.getAddress().getPort())) {
      webhook.provision(wanted, List.of());
    }
    assertThat(bodies).hasSize(1);
  }

  @Test
  void theNameAndThePasswordOfTheUrlAreSent() throws Exception {
    int port = server.getAddress().getPort();
    try (Provisioner webhook = webhook("scaler:p%40ss@127.0.0.1:" + port)) {
      webhook.provision(wanted, List.of());
    }
    try (Provisioner webhook = webhook(port)) {
      webhook.provision(wanted, List.of());
    }
    // scaler:p@ss
    assertThat(credentials).containsExactly("Basic c2NhbGVyOnBAc3M=", "none");
  }

  /// What an alert asks for: nobody looks at what is explained until then.
  @Test
  @Timeout(120)
  void metricsTellThatNobodyTakesTheSizes(@TempDir Path folder) throws Exception {
    status.set(500);
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/sizes";
    Map<String, String> settings =
        Map.of("autoscaling.provisioner", "webhook", "autoscaling.webhook.url", url);
    try (NodeFixture node = new NodeFixture(folder, settings)) {
      awaitFailing(node, "1");
      status.set(204);
      awaitFailing(node, "0");
    }
  }

  private static void awaitFailing(NodeFixture node, String value) throws Exception {
    String line = "holdfast_provisioner_failing{provisioner=\"webhook\"} " + value + "\n";
    while (!node.get("/_prometheus/metrics").body().contains(line)) {
      Thread.sleep(100);
    }
  }

  private static Provisioner webhook(int port) {
    return webhook("127.0.0.1:" + port);
  }

  private static Provisioner webhook(String authority) {
    return new WebhookProvisioner("http://" + authority + "/sizes");
  }
}
