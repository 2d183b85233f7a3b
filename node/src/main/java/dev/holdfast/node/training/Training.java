package dev.holdfast.node.training;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;

/// Asks a node what nodes are asked: loads [TrainingDocuments], searches them with
/// [TrainingRequests], and reads what tools read. A training that the node refuses is a mistake in
/// here, and fails.
public final class Training implements AutoCloseable {
  private static final int ROUNDS = 12;
  private static final Duration ANSWER_MAX = Duration.ofMinutes(1);
  private static final String JSON = "application/json";
  private static final String LINES = "application/x-ndjson";

  private final HttpClient client = HttpClient.newHttpClient();
  private final String node;

  /// @param node the root of its API
  public Training(String node) {
    this.node = node;
  }

  /// @param share of the documents and searches, above 0 and at most 1
  public void run(double share) throws IOException, InterruptedException {
    for (TrainingDocuments documents : TrainingDocuments.values()) {
      load(documents, Math.max(1, (int) (documents.count * share)));
      search(documents, Math.max(1, (int) (ROUNDS * share)), "?request_cache=false");
    }
    for (String path :
        List.of("/", "/_cluster/health", "/_cat/indices?v", "/_nodes/stats", "/_stats")) {
      String _ = send("GET", path, JSON, "");
    }
  }

  /// A little of everything, of indices that are there: through a node that passes it on. Searches
  /// first, as most of those are that wake a cluster.
  public void visit() throws IOException, InterruptedException {
    TrainingRandom dice = new TrainingRandom(7);
    for (TrainingDocuments documents : TrainingDocuments.values()) {
      search(documents, 1, "");
    }
    for (TrainingDocuments documents : TrainingDocuments.values()) {
      StringBuilder bulk = new StringBuilder("{\"index\":{}}\n");
      documents.append(bulk, 0, dice);
      String index = "/" + documents.index();
      String _ = send("POST", index + "/_bulk?refresh=true", LINES, bulk.append('\n').toString());
      String _ = send("GET", index + "/_doc/0", JSON, "");
    }
    String _ = send("GET", "/_cluster/health", JSON, "");
  }

  @Override
  public void close() {
    client.close();
  }

  private void load(TrainingDocuments documents, int count)
      throws IOException, InterruptedException {
    String index = "/" + documents.index();
    String _ = send("PUT", index, JSON, "{\"mappings\":" + documents.mappings + "}");
    TrainingRandom dice = new TrainingRandom(count);
    StringBuilder bulk = new StringBuilder();
    for (int number = 0; number < count; number++) {
      boolean isNamed = number % (4 * documents.batch) < documents.batch;
      bulk.append(isNamed ? "{\"index\":{\"_id\":\"" + number + "\"}}\n" : "{\"index\":{}}\n");
      documents.append(bulk, number, dice);
      bulk.append('\n');
      if ((number + 1) % documents.batch == 0 || number + 1 == count) {
        JsonNode answer = Json.parse(send("POST", index + "/_bulk", LINES, bulk.toString()));
        if (answer.path("errors").asBoolean(true)) {
          throw new IOException("refused in training: " + answer.path("items").path(0));
        }
        bulk.setLength(0);
      }
    }
    String _ = send("POST", index + "/_refresh", JSON, "");
    String _ = send("GET", index + "/_doc/0", JSON, "");
  }

  private void search(TrainingDocuments documents, int rounds, String parameters)
      throws IOException, InterruptedException {
    TrainingRandom dice = new TrainingRandom(99);
    for (int round = 0; round < rounds; round++) {
      for (String question : TrainingRequests.ALL.getOrDefault(documents, List.of())) {
        String body = question.replace("%s", dice.word());
        String _ = send("POST", "/" + documents.index() + "/_search" + parameters, JSON, body);
      }
    }
  }

  private String send(String method, String path, String type, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(node + path))
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(ANSWER_MAX);
    if (!body.isEmpty()) {
      request.header("Content-Type", type);
    }
    HttpResponse<String> answer =
        client.send(
            request.method(method, BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    if (answer.statusCode() >= 300) {
      throw new IOException("refused in training: " + path + ": " + answer.body());
    }
    return answer.body();
  }
}
