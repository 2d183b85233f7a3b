package dev.holdfast.chaos.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.chaos.node.Http;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// A client that writes in bulks and remembers what it was told: creates, updates, partial updates
/// and deletes of ids that are its own.
public final class BulkClient implements Runnable {
  private static final Duration AFTER_FAILURE = Duration.ofMillis(200);

  private final int number;
  private final Http http;
  private final String index;
  private final Expectation[] documents;
  private final Random random;
  private final AtomicBoolean isOver;
  private final Tally tally;
  private final OnFailure onFailure;
  private long value;

  public BulkClient(
      int number,
      String address,
      String index,
      Expectation[] documents,
      long seed,
      AtomicBoolean isOver,
      Tally tally,
      Duration timeout,
      OnFailure onFailure) {
    this.number = number;
    this.http = new Http(address, timeout);
    this.index = index;
    this.documents = documents;
    this.random = new Random(seed);
    this.isOver = isOver;
    this.tally = tally;
    this.onFailure = onFailure;
    this.value = ((long) number << 40) | (System.nanoTime() & 0xff_ffff_ffffL);
  }

  /// What to do when no answer comes, or one that is neither success nor refusal.
  public enum OnFailure {
    /// The node was killed and this client's work is over.
    STOP,
    /// The cluster should have hidden it: count it and go on.
    GO_ON
  }

  private record Sent(int document, @org.jspecify.annotations.Nullable Long value) {}

  String id(int document) {
    return number + "-" + document;
  }

  @Override
  public void run() {
    while (!isOver.get()) {
      try {
        bulk();
      } catch (IOException e) {
        tally.withoutAnswer.increment();
        if (onFailure == OnFailure.STOP) {
          return; // the node is gone; what was sent stays unknown
        }
        tally.failedWrite(e.toString());
        pause();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /// A client that is refused does not ask at once again.
  private static void pause() {
    LockSupport.parkNanos(AFTER_FAILURE.toNanos());
  }

  private void bulk() throws IOException, InterruptedException {
    StringBuilder body = new StringBuilder();
    List<Sent> sent = new ArrayList<>();
    Set<Integer> chosen = new HashSet<>();
    int size = 1 + random.nextInt(60);
    for (int i = 0; i < size; i++) {
      int document = random.nextInt(documents.length);
      if (!chosen.add(document)) {
        continue;
      }
      boolean exists = documents[document].known().value() != null;
      int dice = random.nextInt(10);
      value++;
      if (dice < 2) {
        body.append("{\"delete\":{\"_id\":\"").append(id(document)).append("\"}}\n");
        sent.add(new Sent(document, null));
      } else if (dice < 5 && exists) {
        body.append("{\"update\":{\"_id\":\"").append(id(document)).append("\"}}\n");
        body.append("{\"doc\":{\"value\":").append(value).append("},\"doc_as_upsert\":true}\n");
        sent.add(new Sent(document, value));
      } else {
        body.append("{\"index\":{\"_id\":\"").append(id(document)).append("\"}}\n");
        body.append("{\"key\":\"").append(id(document)).append("\",\"value\":").append(value);
        body.append(",\"text\":\"")
            .append("lorem ipsum ".repeat(random.nextInt(20)))
            .append("\"}\n");
        sent.add(new Sent(document, value));
      }
    }
    sent.forEach(s -> documents[s.document()].sent(s.value()));
    boolean isRefreshed = random.nextInt(50) == 0;
    String refresh = isRefreshed ? "?refresh=true" : "";
    long beginNanos = System.nanoTime();
    Http.Reply reply = http.send("POST", "/" + index + "/_bulk" + refresh, body.toString());
    tally.writeTook((System.nanoTime() - beginNanos) / 1_000_000, isRefreshed);
    if (onFailure == OnFailure.GO_ON && tally.isExcused(reply.status(), beginNanos)) {
      pause(); // an earlier try within the cluster may have been done: it stays unknown
      return;
    }
    if (reply.status() == 429 || isRefusedByStore(reply.body())) {
      sent.forEach(s -> documents[s.document()].refused());
      tally.refused.add(sent.size());
      Thread.sleep(200);
      return;
    }
    if (reply.status() != 200) {
      throw new IOException("bulk answered " + reply.status() + ": " + reply.body());
    }
    for (int i = 0; i < sent.size(); i++) {
      settle(sent.get(i), reply.body().path("items").path(i).elements().next(), beginNanos);
    }
  }

  /// The store refuses the node, and the node took nothing on.
  public static boolean isRefusedByStore(JsonNode holder) {
    return holder.path("error").has("store_failure");
  }

  private void settle(Sent sent, JsonNode item, long sentNanos) {
    int status = item.path("status").asInt();
    Expectation document = documents[sent.document()];
    if (status == 200 || status == 201 || (status == 404 && sent.value() == null)) {
      document.acknowledged(sent.value(), item.path("_seq_no").asLong(-1));
      tally.acknowledged.increment();
    } else if (onFailure == OnFailure.GO_ON && tally.isExcused(status, sentNanos)) {
      return; // it stays unknown, as above
    } else if (status == 429 || isRefusedByStore(item)) {
      document.refused();
      tally.refused.increment();
    } else if (onFailure == OnFailure.GO_ON) {
      tally.failedWrite(item.toString()); // it stays unknown
    } else {
      tally.unexpected.add(item.toString());
    }
  }
}
