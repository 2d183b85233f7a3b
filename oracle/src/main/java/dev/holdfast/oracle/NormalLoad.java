package dev.holdfast.oracle;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What others ask of a node meanwhile: gets, small searches, small writes, each client one at a
/// time with a pause, over an index of its own.
final class NormalLoad implements AutoCloseable {
  static final String INDEX = "hostile-others";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PAUSE_MILLIS = 10;
  private static final int DOCUMENTS = 5_000;
  private static final int BATCH = 1_000;
  private static final int SLOWEST = 15;
  private static final Pattern BUDGET =
      Pattern.compile("\\[\\w+] Data too large, data for \\[[^\\[\\]]*");

  private final URI url;
  private final int clients;
  private final List<Thread> threads = new ArrayList<>();
  private volatile RequestTimes latencies = new RequestTimes();
  private volatile boolean isStopped;
  private volatile String failure = "";
  private final Supplier<String> beside;

  /// The longest, with what ran beside, by nanoseconds.
  private final TreeMap<Long, String> slowest = new TreeMap<>();

  /// @param beside what else is under way now, for people
  NormalLoad(URI url, int clients, Supplier<String> beside) {
    this.url = url;
    this.clients = clients;
    this.beside = beside;
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
  synchronized RequestTimes take() {
    RequestTimes taken = latencies;
    latencies = new RequestTimes();
    slowest.clear();
    return taken;
  }

  /// An answer that was none, for people; empty for none.
  String failure() {
    return failure;
  }

  /// The longest requests since times were last taken, and what was under way when they ended.
  synchronized List<String> slowest() {
    return slowest.descendingMap().entrySet().stream()
        .map(one -> one.getKey() / 1_000_000 + " ms " + one.getValue())
        .toList();
  }

  private synchronized void noteSlow(String kind, long tookNanos) {
    if (slowest.size() < SLOWEST || tookNanos > slowest.firstKey()) {
      slowest.put(tookNanos, kind + " beside " + beside.get());
      if (slowest.size() > SLOWEST) {
        slowest.remove(slowest.firstKey());
      }
    }
  }

  private void client() {
    try (Server server = new Server(url, PATIENCE)) {
      while (!isStopped) {
        OracleRequest request = request(ThreadLocalRandom.current());
        RequestTimes to = latencies;
        long startNanos = System.nanoTime();
        OracleAnswer answer = OracleAnswer.of(server, request);
        long tookNanos = System.nanoTime() - startNanos;
        String why = failure(answer);
        if (!isStopped) {
          to.add(kind(request), tookNanos, why);
          noteSlow(kind(request), tookNanos);
          failure =
              why.isEmpty() ? failure : request + " -> " + answer.status() + " " + answer.text();
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String kind(OracleRequest request) {
    return request.path().contains("_search")
        ? "search"
        : request.method().equals("GET") ? "get" : "write";
  }

  /// What is wrong with an answer, in words that many have in common; empty when it is what it
  /// should be. A write that is refused alone, and a search that was cut, have status 200.
  static String failure(OracleAnswer answer) {
    String text = answer.text();
    if (answer.status() != 200 && answer.status() != 201) {
      return answer.status() + " " + OracleAnswer.errorType(answer.json()) + budget(text);
    }
    if (text.contains("\"errors\":true")) {
      return "refused items" + budget(text);
    }
    return text.contains("\"timed_out\":true") ? "timed out" : "";
  }

  /// Which budget of memory had no more for what.
  private static String budget(String text) {
    Matcher budget = BUDGET.matcher(text);
    return budget.find() ? " " + budget.group() : "";
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
