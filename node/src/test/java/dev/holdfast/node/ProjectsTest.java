package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Projects of real nodes.
@Timeout(120)
final class ProjectsTest {
  private static final Map<String, String> ON = Map.of("projects", "true");

  @TempDir Path folder;

  /// By HTTP/2 the JDK's client throws away an answer that comes before all of the body is sent.
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private HttpResponse<String> call(
      NodeFixture node, String project, String method, String target, String body)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port() + target))
            .header("X-Holdfast-Project", project)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private JsonNode ok(NodeFixture node, String project, String method, String target, String body)
      throws Exception {
    HttpResponse<String> answer = call(node, project, method, target, body);
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    return Json.parse(answer.body());
  }

  private void refused(
      int status, NodeFixture node, String project, String method, String target, String body)
      throws Exception {
    HttpResponse<String> answer = call(node, project, method, target, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(Json.parse(answer.body()).path("error").path("root_cause")).isNotEmpty();
  }

  @Test
  void seeNothingOfOneAnotherAndLiveOn() throws Exception {
    try (NodeFixture node = new NodeFixture(folder, ON)) {
      node.ok("PUT", "/_holdfast/projects/acme", "");
      node.ok("PUT", "/_holdfast/projects/beta", "{\"limits\":{\"shards\":2}}");
      node.ok("PUT", "/books/_doc/1", "{\"of\":\"all\"}");
      ok(node, "acme", "PUT", "/books/_doc/1", "{\"of\":\"acme\"}");
      ok(node, "beta", "PUT", "/books/_doc/1", "{\"of\":\"beta\"}");
      ok(node, "beta", "PUT", "/_ingest/pipeline/p", "{\"processors\":[]}");

      assertThat(node.json("/books/_doc/1").at("/_source/of").asText()).isEqualTo("all");
      for (String project : new String[] {"acme", "beta"}) {
        JsonNode found = ok(node, project, "GET", "/books/_doc/1", "");
        assertThat(found.at("/_source/of").asText()).isEqualTo(project);
      }
      assertThat(call(node, "acme", "GET", "/_ingest/pipeline/p", "").statusCode()).isEqualTo(404);
      refused(404, node, "gamma", "GET", "/books/_doc/1", "");
      refused(400, node, "No Name", "GET", "/books/_doc/1", "");
      refused(400, node, "acme", "GET", "/_holdfast/projects", "");
    }
    try (NodeFixture node = new NodeFixture(folder, ON)) {
      assertThat(ok(node, "acme", "GET", "/books/_count", "").path("count").asInt()).isEqualTo(1);
      assertThat(node.json("/books/_count").path("count").asInt()).isEqualTo(1);
    }
  }

  @Test
  void takeNoMoreThanTheirLimits() throws Exception {
    try (NodeFixture node = new NodeFixture(folder, ON)) {
      node.ok(
          "PUT",
          "/_holdfast/projects/acme",
          "{\"limits\":{\"shards\":2,\"search_threads\":1,\"heap_percent\":5}}");
      ok(node, "acme", "PUT", "/a", "{\"settings\":{\"number_of_shards\":2}}");
      refused(400, node, "acme", "PUT", "/b", "");
      refused(400, node, "acme", "PUT", "/a/_doc/1?pipeline=none", "{}");
      ok(node, "acme", "DELETE", "/a", "");
      ok(node, "acme", "PUT", "/b/_doc/1", "{}");
      JsonNode own = ok(node, "acme", "GET", "/_nodes/stats/thread_pool,breaker", "");
      JsonNode stats = own.path("nodes").elements().next();
      assertThat(stats.at("/thread_pool/search/threads").asInt()).isEqualTo(1);
      assertThat(stats.at("/breakers/request/limit_size_in_bytes").asLong())
          .isLessThanOrEqualTo(Runtime.getRuntime().maxMemory() / 20);
      for (String setting :
          new String[] {"logger.a", "indices.breaker.request.limit", "store.budget"}) {
        refused(
            400,
            node,
            "acme",
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"" + setting + "\":\"1\"}}");
      }
      refused(
          400,
          node,
          "acme",
          "PUT",
          "/_snapshot/elsewhere",
          "{\"type\":\"s3\",\"settings\":{\"bucket\":\"others\"}}");

      // other limits are those of the same project
      node.ok(
          "PUT", "/_holdfast/projects/acme", "{\"limits\":{\"bulk_bytes_per_second\":\"100b\"}}");
      String large = "{\"a\":\"" + "x".repeat(1000) + "\"}";
      int refused = 0;
      for (int i = 0; i < 10; i++) {
        refused += call(node, "acme", "PUT", "/b/_doc/2", large).statusCode() == 429 ? 1 : 0;
      }
      assertThat(refused).isGreaterThanOrEqualTo(8);
      assertThat(ok(node, "acme", "GET", "/b/_doc/1", "").path("found").asBoolean()).isTrue();
      ok(node, "acme", "POST", "/b/_search", "{}"); // reads owe nothing
      node.ok("PUT", "/b/_doc/2", large); // of nobody else
    }
  }

  @Test
  void thatAreDeletedLeaveNothing() throws Exception {
    try (NodeFixture node = new NodeFixture(folder, ON)) {
      node.ok("PUT", "/_holdfast/projects/acme", "");
      node.ok("PUT", "/_holdfast/projects/beta", "");
      ok(node, "acme", "PUT", "/a/_doc/1?refresh", "{}");
      ok(node, "beta", "PUT", "/a/_doc/1?refresh", "{}");
      node.ok("DELETE", "/_holdfast/projects/acme", "");
      refused(404, node, "acme", "GET", "/a/_doc/1", "");
      node.ok("PUT", "/_holdfast/projects/acme", "");
      refused(404, node, "acme", "GET", "/a/_doc/1", "");
      node.refused(404, "DELETE", "/_holdfast/projects/gone", "");
    }
    // The one that was made again has a folder of its own.
    Path objects = folder.resolve("store/projects/acme");
    try (NodeFixture node = new NodeFixture(folder, ON)) {
      long left;
      do {
        Thread.onSpinWait();
        try (Stream<Path> there = Files.list(objects)) {
          left = there.filter(ProjectsTest::hasObjects).count();
        }
      } while (left > 1);
      assertThat(ok(node, "beta", "GET", "/a/_doc/1", "").path("found").asBoolean()).isTrue();
    }
  }

  private static boolean hasObjects(Path folder) {
    try (Stream<Path> below = Files.walk(folder)) {
      return below.anyMatch(Files::isRegularFile);
    } catch (IOException | UncheckedIOException e) {
      return true; // they are being deleted
    }
  }

  @Test
  void areRefusedWhereThereAreNone() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      refused(400, node, "acme", "GET", "/", "");
      node.refused(400, "PUT", "/_holdfast/projects/acme", "");
      node.refused(400, "GET", "/_holdfast/projects", "");
    }
  }

  @Test
  void areNamedByHostsToo() throws Exception {
    try (NodeFixture node =
        new NodeFixture(
            folder, Map.of("projects", "true", "projects.domain", "search.example.com"))) {
      node.ok("PUT", "/_holdfast/projects/acme", "");
      assertThat(nameTold(node, "acme.search.example.com")).isEqualTo("acme");
      assertThat(nameTold(node, "ACME.Search.example.com:9200")).isEqualTo("acme");
      assertThat(nameTold(node, "acme.search.example.com.")).isEqualTo("acme");
      assertThat(nameTold(node, "acme.search.example.com.:9200")).isEqualTo("acme");
      assertThat(nameTold(node, "search.example.com")).isEqualTo("holdfast");
      String header = "\r\nX-Holdfast-Project: ";
      assertThat(nameTold(node, "localhost" + header + "acme" + header + "acme")).isEqualTo("acme");
      assertThat(nameTold(node, "localhost" + header + "acme" + header + "beta")).isEqualTo("400");
      assertThat(nameTold(node, "acme.search.example.com\r\nHost: localhost")).isEqualTo("400");
      assertThat(nameTold(node, "127.0.0.1:" + node.port())).isEqualTo("holdfast");
      assertThat(nameTold(node, "b.acme.search.example.com")).isEqualTo("400");
      assertThat(nameTold(node, ".search.example.com")).isEqualTo("400");
    }
  }

  /// A client that says what it likes of the host.
  private static String nameTold(NodeFixture node, String host) throws Exception {
    try (var socket = new Socket("127.0.0.1", node.port())) {
      socket
          .getOutputStream()
          .write(
              ("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return answer.startsWith("HTTP/1.1 200")
          ? answer.replaceAll("(?s).*\"cluster_name\":\"([^\"]*)\".*", "$1")
          : answer.substring(9, 12);
    }
  }

  @Test
  void moveToAnotherNodeWithTheirDocuments() throws Exception {
    String store = "file:" + folder.resolve("store");
    Map<String, String> settings = Map.of("projects", "true", "store", store);
    try (NodeFixture first = new NodeFixture(folder.resolve("first"), settings)) {
      first.ok("PUT", "/_holdfast/projects/acme", "");
      ok(first, "acme", "PUT", "/a", "{\"settings\":{\"number_of_shards\":4}}");
      try (NodeFixture second = new NodeFixture(folder.resolve("second"), settings)) {
        for (int i = 0; i < 20; i++) {
          NodeFixture node = i % 2 == 0 ? first : second;
          ok(node, "acme", "PUT", "/a/_doc/" + i, "{}");
        }
        assertThat(ok(second, "acme", "GET", "/_cat/nodes?format=json", "")).hasSize(2);
        first.close();
        ok(second, "acme", "POST", "/a/_refresh", ""); // those of the second were written just now
        assertThat(ok(second, "acme", "GET", "/a/_count", "").path("count").asInt()).isEqualTo(20);
        ok(second, "acme", "PUT", "/a/_doc/20", "{}");
      }
    }
  }
}
