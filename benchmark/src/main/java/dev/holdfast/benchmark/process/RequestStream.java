package dev.holdfast.benchmark.process;

import dev.holdfast.benchmark.report.LatencyPercentiles;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Clients that ask one thing again and again, each over a connection of its own, until told to
/// stop.
final class RequestStream implements AutoCloseable {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(90);
  private static final long AFTER_REFUSAL_MILLIS = 50;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final URI target;
  private final String project;
  private final List<byte[]> bodies;
  private final Duration pace;
  private volatile boolean isOver;
  private Answers answers = new Answers();

  /// What was answered in some time.
  static final class Answers {
    /// Of each request that was done.
    final List<Double> millis = new ArrayList<>();

    /// Because there was too much to do.
    int refused;

    int failed;

    /// Why the last of those failed; empty for none.
    String failure = "";

    double percentile(double share) {
      return LatencyPercentiles.of(millis, share);
    }
  }

  /// @param target address, path and query
  /// @param project whose requests they are
  /// @param bodies taken in turn
  /// @param pace between the starts of two requests of a client; zero when each follows the last
  RequestStream(String target, String project, List<byte[]> bodies, Duration pace, int clients) {
    this.target = URI.create("http://" + target);
    this.project = project;
    this.bodies = bodies;
    this.pace = pace;
    for (int i = 0; i < clients; i++) {
      int number = i;
      var _ = threads.submit(() -> run(number));
    }
  }

  /// What was answered since the last time.
  synchronized Answers take() {
    Answers taken = answers;
    answers = new Answers();
    return taken;
  }

  private void run(int number) {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      for (int turn = number; !isOver; turn++) {
        long beginNanos = System.nanoTime();
        if (!isDone(client, bodies.get(turn % bodies.size()))) {
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

  private boolean isDone(HttpClient client, byte[] body) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(target)
            .timeout(ANSWER_MAX)
            .header("Content-Type", "application/x-ndjson")
            .header("X-Holdfast-Project", project)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    long beginNanos = System.nanoTime();
    try {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      double millis = (System.nanoTime() - beginNanos) / 1e6;
      return count(answer.statusCode(), answer.body(), millis);
    } catch (IOException e) {
      return count(0, e.toString(), 0);
    }
  }

  private synchronized boolean count(int status, String body, double millis) {
    boolean isDone = status == 200 && !body.contains("\"errors\":true");
    if (isDone) {
      answers.millis.add(millis);
    } else if (status == 429 || (status == 200 && body.contains("\"status\":429"))) {
      answers.refused++;
    } else {
      answers.failed++;
      answers.failure = status + " " + body.substring(0, Math.min(body.length(), 300));
    }
    return isDone;
  }

  /// Returns when each client has had its last answer.
  @Override
  public void close() {
    isOver = true;
    threads.close();
  }
}
