package dev.holdfast.chaos.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

/// What clients do to a cluster whose nodes are disturbed: bulks of ids of their own, for as long
/// as the run takes, and searches for what was just written.
public final class ClusterLoad {
  private static final int READERS = 2;

  private ClusterLoad() {}

  /// What creates the index that is written to, in JSON.
  public static String settings(int shards, int replicas) {
    return "{\"settings\":{\"number_of_shards\":"
        + shards
        + ",\"number_of_replicas\":"
        + replicas
        + ",\"refresh_interval\":\"1s\"},\"mappings\":{\"properties\":"
        + "{\"key\":{\"type\":\"keyword\"},\"value\":{\"type\":\"long\"},"
        + "\"text\":{\"type\":\"text\"}}}}";
  }

  /// Starts one bulk client for each row of documents, and readers.
  ///
  /// @param dice seed of the clients
  /// @param isOver ends them
  /// @return their threads
  public static List<Thread> start(
      String address,
      String index,
      Expectation[][] documents,
      Random dice,
      AtomicBoolean isOver,
      Tally tally,
      Duration timeout) {
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < documents.length; i++) {
      BulkClient client =
          new BulkClient(
              i,
              address,
              index,
              documents[i],
              dice.nextLong(),
              isOver,
              tally,
              timeout,
              BulkClient.OnFailure.GO_ON);
      running.add(Thread.ofVirtual().name("bulk-" + i).start(client));
    }
    for (int i = 0; i < READERS; i++) {
      FreshReader reader = new FreshReader(i, address, index, isOver, tally);
      running.add(Thread.ofVirtual().name("reader-" + i).start(reader));
    }
    return running;
  }
}
