package dev.holdfast.benchmark.process;

import dev.holdfast.chaos.client.Verification;
import dev.holdfast.chaos.node.Http;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/// The index that a load writes to: whether all that was acknowledged is in it.
final class IndexedEvents {
  private static final Duration ANSWER_MAX = Duration.ofMinutes(2);
  private static final long PAUSE_MILLIS = 500;

  private final Http http;

  /// @param address host and port of one of its nodes
  IndexedEvents(String address) {
    http = new Http(address, ANSWER_MAX);
  }

  void create(int shards, int replicas) throws IOException, InterruptedException {
    Verification.require(
        "create index",
        http.send("PUT", "/" + EventBulks.INDEX, EventBulks.index(shards, replicas)));
    // A shard without an owner, or a replica that is being copied, would be measured, too.
    Verification.require(
        "all shards",
        http.get("/_cluster/health/" + EventBulks.INDEX + "?wait_for_status=green&timeout=60s"));
  }

  /// Says it for people, too.
  ///
  /// @param all that was answered since the index was made
  /// @return whether nothing failed, and as many are there as were acknowledged
  boolean hasAll(String name, BulkLoad.Sample all) throws IOException, InterruptedException {
    long found = count();
    System.out.printf(
        Locale.ROOT,
        "%s: %,d documents acknowledged, %,d found; %,d refused, %,d failed%s%n",
        name,
        all.documents,
        found,
        all.refused,
        all.failed,
        all.failure.isEmpty() ? "" : ": " + all.failure);
    return all.failed == 0 && found == all.documents;
  }

  /// Of all documents, shown or not. Nodes that were short of processors a moment ago have time to
  /// come to themselves.
  private long count() throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + ANSWER_MAX.toNanos();
    while (true) {
      Http.Reply refreshed = http.send("POST", "/" + EventBulks.INDEX + "/_refresh", "");
      Http.Reply counted = http.get("/" + EventBulks.INDEX + "/_count");
      if (refreshed.status() == 200 && counted.status() == 200) {
        return counted.body().path("count").asLong(-1);
      }
      if (System.nanoTime() > endNanos) {
        throw new IOException("nobody counts: " + refreshed + ", " + counted);
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }
}
