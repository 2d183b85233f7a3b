package dev.holdfast.chaos.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.chaos.node.Http;
import dev.holdfast.simulation.linear.DocumentCall;
import dev.holdfast.simulation.linear.DocumentCall.Answer;
import dev.holdfast.simulation.linear.DocumentCall.Condition;
import dev.holdfast.simulation.linear.DocumentCall.Effect;
import dev.holdfast.simulation.linear.DocumentCall.Kind;
import dev.holdfast.simulation.linear.DocumentCall.Request;
import dev.holdfast.simulation.linear.Linearizability;
import dev.holdfast.simulation.linear.Linearizability.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// Clients that write and get the same few documents, each write another way, and what they were
/// told: at the end there must be an order in which it could all have happened.
public final class Rivals {
  private static final int DOCUMENTS = 4;
  private static final Duration TIMEOUT = Duration.ofSeconds(150);
  private static final Duration PAUSE = Duration.ofMillis(40);

  /// Other documents are used from then on: each has a history that can be judged soon.
  private static final int CALLS_EACH = 2_000;

  private final String index;
  private final Tally tally;
  private final AtomicLong values = new AtomicLong();
  private final AtomicLong calls = new AtomicLong();
  private final Map<String, Document> documents = new ConcurrentHashMap<>();

  /// What was asked of a document, and what some client knows of it.
  private static final class Document {
    private final List<DocumentCall> calls = new ArrayList<>();
    private long seqNo = -1;
    private long primaryTerm;

    synchronized void add(DocumentCall call) {
      calls.add(call);
    }

    synchronized void saw(JsonNode body) {
      seqNo = body.path("_seq_no").asLong(-1);
      primaryTerm = body.path("_primary_term").asLong();
    }

    synchronized long[] seen() {
      return new long[] {seqNo, primaryTerm};
    }

    synchronized List<DocumentCall> calls() {
      return List.copyOf(calls);
    }
  }

  /// A request as it is sent.
  private record Sent(String method, String path, String body, Request request) {}

  public Rivals(String index, Tally tally) {
    this.index = index + "-rivals";
    this.tally = tally;
  }

  public String index() {
    return index;
  }

  /// One of the clients.
  public Runnable client(String address, long seed, AtomicBoolean isOver) {
    Http http = new Http(address, TIMEOUT);
    Random random = new Random(seed);
    return () -> {
      try {
        while (!isOver.get()) {
          ask(http, random);
          Thread.sleep(random.nextInt((int) PAUSE.toMillis()) + 1L);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
  }

  private void ask(Http http, Random random) throws InterruptedException {
    long group = calls.getAndIncrement() / (CALLS_EACH * (long) DOCUMENTS);
    String id = group + "-" + random.nextInt(DOCUMENTS);
    Document document = documents.computeIfAbsent(id, _ -> new Document());
    Sent sent = sent(id, document, random);
    long begin = System.nanoTime();
    Answer answer = new Answer.Unknown();
    try {
      Http.Reply reply = http.send(sent.method, "/" + index + sent.path, sent.body);
      answer = answer(sent, reply);
      if (answer instanceof Answer.Done || answer instanceof Answer.Shown) {
        document.saw(reply.body());
      }
      if (answer instanceof Answer.Unknown && reply.status() != 429) {
        tally.failedWrite(
            "a rival was answered " + reply.status() + ": " + reply.body(), reply.status(), begin);
      }
    } catch (IOException e) {
      tally.failedWrite("a rival: " + e);
    }
    if (!(answer instanceof Answer.Unknown)) {
      document.add(DocumentCall.answered(begin, System.nanoTime(), sent.request, answer));
    } else if (sent.request instanceof Request.Write) {
      document.add(DocumentCall.unknown(begin, sent.request));
    }
  }

  private Sent sent(String id, Document document, Random random) {
    long value = values.incrementAndGet();
    String source = "{\"value\":" + value + "}";
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> new Sent("GET", "/_doc/" + id, "", new Request.Get());
      case 3 -> new Sent("DELETE", "/_doc/" + id, "", write(Kind.DELETE, value));
      case 4, 5 -> new Sent("PUT", "/_create/" + id, source, write(Kind.CREATE, value));
      case 6 ->
          new Sent(
              "POST",
              "/_update/" + id + "?retry_on_conflict=3",
              "{\"doc\":" + source + ",\"doc_as_upsert\":true}",
              write(Kind.UPSERT, value));
      case 7, 8 -> conditional(id, document.seen(), source, value);
      default -> new Sent("PUT", "/_doc/" + id, source, write(Kind.INDEX, value));
    };
  }

  private static Sent conditional(String id, long[] seen, String source, long value) {
    if (seen[0] < 0) {
      return new Sent("PUT", "/_doc/" + id, source, write(Kind.INDEX, value));
    }
    return new Sent(
        "PUT",
        "/_doc/" + id + "?if_seq_no=" + seen[0] + "&if_primary_term=" + seen[1],
        source,
        new Request.Write(Kind.INDEX, value, new Condition.IfSeqNo(seen[0])));
  }

  private static Request.Write write(Kind kind, long value) {
    return new Request.Write(kind, value, Condition.NONE);
  }

  private static Answer answer(Sent sent, Http.Reply reply) {
    JsonNode body = reply.body();
    if (sent.request instanceof Request.Get) {
      if (reply.status() == 200) {
        return new Answer.Shown(
            body.path("_source").path("value").asLong(),
            body.path("_seq_no").asLong(),
            body.path("_version").asLong());
      }
      boolean isAbsent = reply.status() == 404 && body.has("found");
      return isAbsent ? new Answer.Nothing() : new Answer.Unknown();
    }
    if (reply.status() == 409) {
      return new Answer.Conflict();
    }
    if (!body.has("result")) {
      return new Answer.Unknown();
    }
    return new Answer.Done(
        Effect.valueOf(body.path("result").asText().toUpperCase(Locale.ROOT)),
        body.path("_seq_no").asLong(),
        body.path("_version").asLong());
  }

  /// Adds a violation for each document whose answers no order explains.
  public void judge() {
    documents.forEach((id, document) -> {
      List<DocumentCall> all = document.calls();
      switch (Linearizability.judge(all, List.of())) {
        case Verdict.Linearizable() -> tally.checked.increment();
        case Verdict.Broken(String why) ->
            tally.violations.add("not linearizable [document=" + id + "]: " + why);
        case Verdict.Undecided(int steps) ->
            tally.unexpected.add(
                "too much to judge [document="
                    + id
                    + ", calls="
                    + all.size()
                    + ", steps="
                    + steps
                    + "]");
      }
    });
  }

  public long calls() {
    return calls.get();
  }
}
