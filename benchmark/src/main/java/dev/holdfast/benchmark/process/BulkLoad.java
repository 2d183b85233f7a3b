package dev.holdfast.benchmark.process;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.benchmark.report.LatencyPercentiles;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Clients that send bulks, each one after the other: as many at a time as it is told to have.
/// Nothing is sent a second time, so each document that was acknowledged is there once.
final class BulkLoad implements AutoCloseable {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(90);
  private static final long IDLE_MILLIS = 5;
  private static final long AFTER_REFUSAL_MILLIS = 50;

  /// All that the answer must say: the generator should cost little.
  private static final String TARGET =
      "/" + EventBulks.INDEX + "/_bulk?filter_path=errors,items.*.status";

  private static final String ALL_TAKEN = "{\"errors\":false}";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<URI> targets = new ArrayList<>();
  private final List<byte[]> bodies;
  private final int documentsEach;
  private final Duration pace;
  private volatile int clients;
  private volatile boolean isOver;
  private Sample sample = new Sample();

  /// @param addresses host and port; clients take turns
  /// @param bodies of `_bulk`
  /// @param documentsEach of each body
  /// @param pace between the starts of two bulks of a client; zero when each follows the last
  /// @param clientsMax that it may be told to have
  BulkLoad(
      List<String> addresses,
      List<byte[]> bodies,
      int documentsEach,
      Duration pace,
      int clientsMax) {
    for (String address : addresses) {
      targets.add(URI.create("http://" + address + TARGET));
    }
    this.bodies = bodies;
    this.documentsEach = documentsEach;
    this.pace = pace;
    for (int i = 0; i < clientsMax; i++) {
      int number = i;
      var _ = threads.submit(() -> run(number));
    }
  }

  /// What was answered in some time.
  static final class Sample {
    /// Documents that were acknowledged.
    long documents;

    /// Documents that were refused because there was too much to do.
    long refused;

    /// Documents of which nobody knows, and those that were refused for another reason.
    long failed;

    /// Why the last of those failed; empty for none.
    String failure = "";

    /// Of each request that was acknowledged.
    final List<Double> millis = new ArrayList<>();

    double percentile(double share) {
      return LatencyPercentiles.of(millis, share);
    }

    void add(Sample other) {
      documents += other.documents;
      refused += other.refused;
      failed += other.failed;
      failure = other.failure.isEmpty() ? failure : other.failure;
      millis.addAll(other.millis);
    }
  }

  /// From now on there are so many.
  void clients(int many) {
    clients = many;
  }

  /// What was answered since the last time.
  synchronized Sample take() {
    Sample taken = sample;
    sample = new Sample();
    return taken;
  }

  private void run(int number) {
    try {
      for (int turn = number; !isOver; turn++) {
        if (number >= clients) {
          Thread.sleep(IDLE_MILLIS);
          continue;
        }
        long beginNanos = System.nanoTime();
        Sample answered = send(turn);
        synchronized (this) {
          sample.add(answered);
        }
        if (answered.refused + answered.failed > 0) {
          Thread.sleep(AFTER_REFUSAL_MILLIS);
        }
        Duration pause = pace.minusNanos(System.nanoTime() - beginNanos);
        if (pause.isPositive()) {
          Thread.sleep(pause);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private Sample send(int turn) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(targets.get(turn % targets.size()))
            .timeout(ANSWER_MAX)
            .header("Content-Type", "application/x-ndjson")
            .POST(HttpRequest.BodyPublishers.ofByteArray(bodies.get(turn % bodies.size())))
            .build();
    Sample answered = new Sample();
    long beginNanos = System.nanoTime();
    try {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      count(answered, answer.statusCode(), answer.body(), documentsEach);
      if (answered.documents > 0) {
        answered.millis.add((System.nanoTime() - beginNanos) / 1e6);
      }
    } catch (IOException e) {
      answered.failed = documentsEach;
      answered.failure = e.toString();
    }
    return answered;
  }

  /// @param documents that were sent
  static void count(Sample answered, int status, String body, int documents) throws IOException {
    if (status == 200 && body.equals(ALL_TAKEN)) {
      answered.documents = documents;
    } else if (status == 200) {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      for (JsonNode item : Json.parse(bytes, 0, bytes.length).path("items")) {
        int its = item.path("index").path("status").asInt();
        answered.documents += its == 201 ? 1 : 0;
        answered.refused += its == 429 ? 1 : 0;
      }
      answered.failed = documents - answered.documents - answered.refused;
    } else if (status == 429) {
      answered.refused = documents;
    } else {
      answered.failed = documents;
    }
    if (answered.failed > 0) {
      answered.failure = status + " " + body.substring(0, Math.min(body.length(), 500));
    }
  }

  /// Returns when each client has had its last answer.
  void end() {
    isOver = true;
    threads.close();
  }

  @Override
  public void close() {
    end();
  }
}
