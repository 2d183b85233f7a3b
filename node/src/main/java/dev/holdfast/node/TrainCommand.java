package dev.holdfast.node;

import dev.holdfast.node.settings.NodeSettings;
import dev.holdfast.world.FromTheWorld;
import dev.holdfast.world.World;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/// `holdfast train`: starts a node that keeps nothing, asks it what nodes are asked, and ends: what
/// the Java machine then knows becomes the start-up cache.
@Command(name = "train", hidden = true)
final class TrainCommand implements Callable<Integer> {
  private static final String ROUTE = "/train";

  @Override
  @FromTheWorld
  public Integer call() throws Exception {
    Path folder = Files.createTempDirectory("holdfast-train");
    try {
      NodeSettings settings =
          NodeSettings.defaults(folder).at(0, "file:" + folder.resolve("store"));
      Logging.configure(settings);
      try (Node node = Node.start(settings, World.real(), why -> {});
          HttpClient client = HttpClient.newHttpClient()) {
        train(client, "http://" + node.identity().address());
      }
    } finally {
      delete(folder);
    }
    return 0;
  }

  private static void train(HttpClient client, String node) throws Exception {
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      bulk.append("{\"index\":{\"_index\":\"train\",\"_id\":\"").append(i).append("\"}}\n");
      bulk.append("{\"@timestamp\":\"2026-01-01T00:00:").append(i % 60).append("Z\",\"message\":");
      bulk.append("\"the quick brown fox ").append(i).append("\",\"size\":").append(i);
      bulk.append(",\"ratio\":0.5,\"host\":{\"name\":\"h").append(i % 5).append("\"}}\n");
    }
    String search =
        "{\"query\":{\"bool\":{\"must\":[{\"match\":{\"message\":\"fox\"}}],\"filter\":[{\"range\":"
            + "{\"size\":{\"gte\":3}}}]}},\"sort\":[{\"@timestamp\":\"desc\"}],\"aggs\":{\"hosts\":"
            + "{\"terms\":{\"field\":\"host.name.keyword\"},\"aggs\":{\"size\":{\"avg\":"
            + "{\"field\":\"size\"}}}},\"days\":{\"date_histogram\":{\"field\":\"@timestamp\","
            + "\"calendar_interval\":\"day\"}}}}";
    String json = "application/json";
    send(client, node, "GET", "/", json, "");
    for (int round = 0; round < 3; round++) {
      send(client, node, "POST", "/_bulk", "application/x-ndjson", bulk.toString());
      send(client, node, "POST", ROUTE + "/_refresh", json, "");
      send(client, node, "GET", ROUTE + "/_doc/1", json, "");
      send(client, node, "POST", ROUTE + "/_search", json, search);
      send(client, node, "GET", ROUTE + "/_search?q=fox", json, "");
    }
    for (String path : List.of("/_cluster/health", "/_cat/indices?v", "/_nodes/stats", "/nope")) {
      send(client, node, "GET", path, json, "");
    }
  }

  /// Answers are not judged: a call that this version refuses trains the refusal.
  private static void send(
      HttpClient client, String node, String method, String path, String type, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(node + path)).version(HttpClient.Version.HTTP_1_1);
    if (!body.isEmpty()) {
      request.header("Content-Type", type);
    }
    HttpResponse<String> _ =
        client.send(
            request.method(method, BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
