package dev.holdfast.oracle;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/// What others ask of a node meanwhile: gets, small searches, small writes, each client one at a
/// time with a pause, over an index of its own.
final class NormalLoad implements AutoCloseable {
  static final String INDEX = "hostile-others";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PAUSE_MILLIS = 10;
  private static final int DOCUMENTS = 5_000;
  private static final int BATCH = 1_000;

  private final URI url;
  private final int clients;
  private final List<Thread> threads = new ArrayList<>();
  private volatile RequestTimes latencies = new RequestTimes();
  private volatile boolean isStopped;
  private volatile String failure = "";

  NormalLoad(URI url, int clients) {
    this.url = url;
    this.clients = clients;
  }

  /// Makes the index and begins.
  void start() throws IOException {
    try (Server server = new Server(url, PATIENCE)) {
      server.send("DELETE", "/" + INDEX, "");
      server.send(
          "PUT",
          "/" + INDEX,
          "{\"settings\": {\"number_of_replicas\": 0}, \"mappings\": {\"properties\": {\"word\":"
              + " {\"type\": \"keyword\"}}}}");
      Random random = new Random(1);
      for (int from = 0; from < DOCUMENTS; from += BATCH) {
        StringBuilder body = new StringBuilder();
        for (int id = from; id < from + BATCH; id++) {
          body.append("{\"index\": {\"_id\": \"").append(id).append("\"}}\n");
          body.append(document(random)).append('\n');
        }
        server.send("POST", "/" + INDEX + "/_bulk?refresh=true", body.toString());
      }
    }
    for (int i = 0; i < clients; i++) {
      threads.add(Thread.ofPlatform().daemon().start(this::client));
    }
  }

  /// What was measured since this was last called.
  RequestTimes take() {
    RequestTimes taken = latencies;
    latencies = new RequestTimes();
    return taken;
  }

  /// An answer that was none, for people; empty for none.
  String failure() {
    return failure;
  }

  private void client() {
    try (Server server = new Server(url, PATIENCE)) {
      while (!isStopped) {
        OracleRequest request = request(ThreadLocalRandom.current());
        RequestTimes to = latencies;
        long startNanos = System.nanoTime();
        OracleAnswer answer = OracleAnswer.of(server, request);
        boolean isGood = answer.status() == 200 || answer.status() == 201;
        if (!isStopped) {
          to.add(System.nanoTime() - startNanos, isGood);
          failure = isGood ? failure : request + " -> " + answer.status() + " " + answer.text();
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static OracleRequest request(Random random) {
    String word = word(random);
    String id = Integer.toString(random.nextInt(DOCUMENTS));
    String text =
        switch (random.nextInt(6)) {
          case 0 -> "GET /" + INDEX + "/_doc/" + id;
          case 1 -> search("{\"size\": 5, \"query\": {\"term\": {\"word\": \"" + word + "\"}}}");
          case 2 -> search("{\"size\": 5, \"query\": {\"match\": {\"text\": \"" + word + "\"}}}");
          case 3 -> search("{\"size\": 0, \"aggs\": {\"a\": {\"terms\": {\"field\": \"word\"}}}}");
          case 4 -> "PUT /" + INDEX + "/_doc/" + id + " " + document(random);
          default ->
              "POST /"
                  + INDEX
                  + "/_bulk {\"index\": {}}\n"
                  + document(random)
                  + "\n{\"index\": {}}\n"
                  + document(random);
        };
    return OracleRequest.steps(text).getFirst();
  }

  private static String search(String body) {
    return "POST /" + INDEX + "/_search " + body;
  }

  private static String document(Random random) {
    return "{\"word\": \""
        + word(random)
        + "\", \"text\": \""
        + (word(random) + " ").repeat(10)
        + "\", \"number\": "
        + random.nextInt(1000)
        + "}";
  }

  private static String word(Random random) {
    return "w" + random.nextInt(100);
  }

  /// Sends nothing more, without waiting for what is under way.
  void stop() {
    isStopped = true;
  }

  @Override
  public void close() {
    stop();
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
