package dev.holdfast.chaos.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.chaos.node.Http;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// A client that writes one document with `refresh=true`, again and again, and searches it several
/// times after each write: what was refreshed must be found by every search, whichever copy
/// answers.
public final class FreshReader implements Runnable {
  private static final int SEARCHES = 8;
  private static final Duration TIMEOUT = Duration.ofSeconds(150);

  private static final Duration AFTER_FAILURE = Duration.ofMillis(200);

  private final Http http;
  private final String index;
  private final String key;
  private final AtomicBoolean isOver;
  private final Tally tally;

  public FreshReader(int number, String address, String index, AtomicBoolean isOver, Tally tally) {
    this.http = new Http(address, TIMEOUT);
    this.index = index + "-fresh";
    this.key = "fresh-" + number;
    this.isOver = isOver;
    this.tally = tally;
  }

  @Override
  public void run() {
    try {
      for (long value = 1; !isOver.get(); value++) {
        if (write(value)) {
          for (int i = 0; i < SEARCHES && !isOver.get(); i++) {
            search(value);
          }
        } else {
          Thread.sleep(AFTER_FAILURE);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean write(long value) throws InterruptedException {
    long beginNanos = System.nanoTime();
    try {
      Http.Reply reply =
          http.send(
              "PUT",
              "/" + index + "/_doc/" + key + "?refresh=true",
              "{\"name\":\"" + key + "\",\"value\":" + value + "}");
      if (reply.status() == 200 || reply.status() == 201) {
        tally.refreshTook((System.nanoTime() - beginNanos) / 1_000_000);
        return true;
      }
      tally.failedWrite(
          "refresh=true answered " + reply.status() + ": " + reply.body(),
          reply.status(),
          beginNanos);
    } catch (IOException e) {
      tally.failedWrite("refresh=true: " + e);
    }
    return false;
  }

  private void search(long value) throws InterruptedException {
    tally.searches.increment();
    long beginNanos = System.nanoTime();
    try {
      Http.Reply reply =
          http.send(
              "POST",
              "/" + index + "/_search",
              "{\"query\":{\"term\":{\"name.keyword\":\"" + key + "\"}}}");
      tally.searchTook((System.nanoTime() - beginNanos) / 1_000_000);
      JsonNode shards = reply.body().path("_shards");
      if (reply.status() != 200 || shards.path("failed").asInt() > 0) {
        int status = reply.status() == 200 ? 503 : reply.status(); // shards of it failed
        tally.failedSearch(
            "search answered " + reply.status() + ": " + reply.body(), status, beginNanos);
        return;
      }
      long found =
          reply.body().path("hits").path("hits").path(0).path("_source").path("value").asLong(-1);
      if (found < value) {
        tally.staleSearches.increment();
        tally.violations.add(
            "a search after refresh=true is stale [written=" + value + ", found=" + found + "]");
      }
    } catch (IOException e) {
      tally.failedSearch("search: " + e);
    }
  }
}
