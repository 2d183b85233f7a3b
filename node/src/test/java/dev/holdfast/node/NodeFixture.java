package dev.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.settings.NodeSettings;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;

/// A whole node over a folder, on a free port, and a client of it.
final class NodeFixture implements AutoCloseable {
  private final Node node;
  private final HttpClient client = HttpClient.newHttpClient();

  NodeFixture(Path folder) throws Exception {
    NodeSettings settings = NodeSettings.defaults(folder);
    node = Node.start(settings.at(0, settings.store()), World.real(), why -> {});
  }

  /// One of several nodes over a store.
  NodeFixture(Path folder, String store, Duration grace) throws Exception {
    NodeSettings settings = NodeSettings.defaults(folder).at(0, store).withGrace(grace);
    node = Node.start(settings, World.real(), why -> {});
  }

  int port() {
    return node.identity().port();
  }

  HttpResponse<String> call(String method, String target, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + node.identity().address() + target))
            .version(HttpClient.Version.HTTP_1_1)
            .method(method, BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      boolean isLines = target.contains("_bulk");
      request.header("Content-Type", isLines ? "application/x-ndjson" : "application/json");
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  /// The answer to a request that must succeed.
  JsonNode ok(String method, String target, String body) throws Exception {
    HttpResponse<String> answer = call(method, target, body);
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    return Json.parse(answer.body());
  }

  /// The answer to a request that must be refused.
  JsonNode refused(int status, String method, String target, String body) throws Exception {
    HttpResponse<String> answer = call(method, target, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return Json.parse(answer.body());
  }

  /// Documents with the ids from 0 on, a number `n` and one of three words `kind`, searchable.
  void fill(String index, int documents) throws Exception {
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < documents; i++) {
      bulk.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
      bulk.append("{\"n\":").append(i).append(",\"kind\":\"k").append(i % 3).append("\"}\n");
    }
    assertThat(ok("POST", "/" + index + "/_bulk?refresh=true", bulk.toString()).path("errors"))
        .hasToString("false");
  }

  HttpResponse<String> get(String target) throws Exception {
    return call("GET", target, "");
  }

  JsonNode json(String method, String target) throws Exception {
    return Json.parse(call(method, target, "").body());
  }

  JsonNode json(String method, String target, String body) throws Exception {
    return Json.parse(call(method, target, body).body());
  }

  JsonNode json(String target) throws Exception {
    return Json.parse(get(target).body());
  }

  @Override
  public void close() {
    client.close();
    node.close();
  }
}
