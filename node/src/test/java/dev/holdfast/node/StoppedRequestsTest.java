package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Requests that would take minutes end when their client leaves, when they are cancelled, and when
/// their time is over, whatever they are doing.
final class StoppedRequestsTest {
  private static final String LOOP =
      "int x = 0; for (int i = 0; i < 900000; i++) { x += i % 7; } return x > 3;";

  /// Hours of work: it is over only when it was ended.
  private static final String HOURS =
      "{\"query\":{\"script\":{\"script\":{\"source\":\"%s\"}}}}".formatted(LOOP);

  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    for (int i = 0; i < 20; i++) {
      node.fill("many-" + i, 2_000);
    }
  }

  @AfterEach
  void reset() throws Exception {
    node.ok(
        "PUT",
        "/_cluster/settings",
        """
        {"persistent":{"search.default_search_timeout":null,"search.max_open_pit_context":null}}\
        """);
  }

  private static int running() throws Exception {
    int running = 0;
    for (JsonNode one : node.json("/_tasks?actions=*data/read/search*").path("nodes")) {
      running += one.path("tasks").size();
    }
    return running;
  }

  private static void awaitRunning(int wanted) throws Exception {
    while (running() != wanted) {
      Thread.onSpinWait(); // else the test never ends, which is a failure as well
    }
  }

  @Test
  void aClientThatLeavesEndsItsSearch() throws Exception {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), node.port())) {
      OutputStream out = client.getOutputStream();
      byte[] body = HOURS.getBytes(StandardCharsets.UTF_8);
      String head =
          "POST /many-*/_search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
              + "Content-Length: "
              + body.length
              + "\r\n\r\n";
      out.write(head.getBytes(StandardCharsets.UTF_8));
      out.write(body);
      out.flush();
      awaitRunning(1);
    }
    awaitRunning(0);
    assertThat(running()).isZero();
  }

  @Test
  void aTaskThatIsCancelledEnds() throws Exception {
    CompletableFuture<HttpResponse<String>> answer =
        CompletableFuture.supplyAsync(() -> {
          try {
            return node.call("POST", "/many-*/_search", HOURS);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    awaitRunning(1);
    JsonNode _ = node.ok("POST", "/_tasks/_cancel?actions=*data/read/search*", "");
    assertThat(answer.get().statusCode()).isEqualTo(400);
    assertThat(answer.get().body()).contains("task_cancelled_exception");
    assertThat(running()).isZero();
  }

  @Test
  void aSearchEndsWithItsTime() throws Exception {
    JsonNode found = node.ok("POST", "/many-*/_search?timeout=50ms", HOURS);
    assertThat(found.path("timed_out").asBoolean()).isTrue();
    assertThat(found.at("/_shards/failed").asInt()).isZero();
  }

  @Test
  void aSearchThatNamesNoTimeHasTheClusters() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"search.default_search_timeout\":\"50ms\"}}");
    assertThat(node.ok("POST", "/many-*/_search", HOURS).path("timed_out").asBoolean()).isTrue();
    JsonNode quick = node.ok("POST", "/many-*/_search?timeout=-1", "{\"size\":1}");
    assertThat(quick.path("timed_out").asBoolean()).isFalse();
  }

  /// The hits that were read by then are shown.
  @Test
  void aFetchPhaseEndsWithItsTime() throws Exception {
    JsonNode found =
        node.ok(
            "POST",
            "/many-*/_search?timeout=300ms",
            """
            {"size":10000,"script_fields":{"x":{"script":{"source":"%s"}}}}\
            """
                .formatted(LOOP));
    assertThat(found.path("timed_out").asBoolean()).isTrue();
    assertThat(found.at("/hits/hits").size()).isLessThan(10_000);
    assertThat(found.at("/hits/total/value").asInt()).isPositive();
  }

  @Test
  void onePointInTimeTooManyIsRefusedAtOnce() throws Exception {
    JsonNode _ =
        node.ok(
            "PUT", "/_cluster/settings", "{\"persistent\":{\"search.max_open_pit_context\":2}}");
    String first = node.ok("POST", "/many-1/_pit?keep_alive=1m", "").path("id").asText();
    String second = node.ok("POST", "/many-2/_pit?keep_alive=1m", "").path("id").asText();
    JsonNode refused = node.refused(429, "POST", "/many-3/_pit?keep_alive=1m", "");
    assertThat(refused.at("/error/reason").asText()).contains("search.max_open_pit_context");
    for (String id : new String[] {first, second}) {
      JsonNode _ = node.ok("DELETE", "/_pit", "{\"id\":\"%s\"}".formatted(id));
    }
    String third = node.ok("POST", "/many-3/_pit?keep_alive=1m", "").path("id").asText();
    JsonNode _ = node.ok("DELETE", "/_pit", "{\"id\":\"%s\"}".formatted(third));
  }
}
