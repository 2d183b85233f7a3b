package dev.holdfast.benchmark;

import dev.holdfast.benchmark.report.LatencyPercentiles;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.node.IndexingConfig;
import dev.holdfast.indexing.node.LifeConfig;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.file.FileStore;
import dev.holdfast.translog.LogConfig;
import dev.holdfast.world.Tasks;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./holdfast benchmark hollow`: a thousand indices on one node that nobody writes to. What a
/// hollow shard keeps on the heap beside its entry in the cluster state (at most 2 KiB are wanted),
/// and how long the next write to it takes (a p50 of at most 150 ms), with a store that answers at
/// once and with one that is far away.
@Command(
    name = "hollow",
    mixinStandardHelpOptions = true,
    description = "Heap of idle shards, and how long they take to wake.")
final class HollowShards implements Callable<Integer> {
  private static final double GOAL_BYTES = 2048;
  private static final double GOAL_MILLIS = 150;
  private static final int CLIENTS = 16;
  private static final Duration IDLE = Duration.ofSeconds(2);
  private static final Duration BETWEEN_WAKES = Duration.ofMillis(250);

  @Option(names = "--indices", description = "(default: ${DEFAULT-VALUE})")
  private int indices = 1000;

  @Option(names = "--wakes", description = "for each latency (default: ${DEFAULT-VALUE})")
  private int wakes = 100;

  @Option(
      names = "--latency",
      description = "of the far store in ms, median; twice that is p99 (default: ${DEFAULT-VALUE})")
  private double latencyMillis = 30;

  @Option(names = "--seed", description = "(default: ${DEFAULT-VALUE})")
  private long seed = 42;

  @Option(names = "--pause", description = "seconds to wait when all are hollow, for a look")
  private int pauseSeconds;

  /// @param shardBytes of heap for each hollow shard
  /// @param stateBytes of heap for each index in the cluster state
  private record Figures(double shardBytes, double stateBytes, List<Double> wakeMillis) {
    double p50() {
      return LatencyPercentiles.of(wakeMillis, 0.5);
    }

    @Override
    public String toString() {
      return String.format(
          "p50 %.0f ms, p99 %.0f ms", p50(), LatencyPercentiles.of(wakeMillis, 0.99));
    }
  }

  @Override
  public Integer call() throws Exception {
    try (Scratch scratch = Scratch.create()) {
      // The first run loads the classes and fills the pools, which are no shard's.
      Figures far = run(scratch.resolve("far"), wakes, LogConfig.defaults(), latencyMillis);
      Figures near = run(scratch.resolve("near"), indices, LogConfig.unmetered(), 0);
      System.out.printf(
          "%,d hollow shards: %,.0f bytes of heap each (wanted: at most %,.0f), beside %,.0f bytes"
              + " of cluster state%n",
          indices, near.shardBytes, GOAL_BYTES, near.stateBytes);
      System.out.printf(
          "next write: %s; store %.0f ms away: %s (wanted: p50 at most %.0f ms)%n",
          near, latencyMillis, far, GOAL_MILLIS);
      return near.shardBytes <= GOAL_BYTES && near.p50() <= GOAL_MILLIS && far.p50() <= GOAL_MILLIS
          ? 0
          : 1;
    }
  }

  private Figures run(Path folder, int count, LogConfig log, double median) throws Exception {
    ObjectStore store = new FileStore(folder.resolve("store"));
    LifeConfig life = LifeConfig.defaults().withHollowAfter(IDLE);
    Random random = new Random(seed);
    LocalNetwork network = new LocalNetwork();
    try (IndexingProcess node =
        new IndexingProcess(folder, store, network, log, IndexingConfig.defaults(), life)) {
      long empty = heapBytes();
      List<ShardId> shards =
          node.create(
              IntStream.range(0, count).mapToObj(i -> "idle-" + i).toList(),
              1,
              DocumentShape.LOG_LINE.mapping);
      long before = heapBytes();
      node.tier.start();
      writeToAll(node, shards);
      awaitHollow(node, count);
      long after = heapBytes();
      Thread.sleep(Duration.ofSeconds(median > 0 ? 0 : pauseSeconds));
      node.latency(median, 2 * median);
      List<Double> wakeMillis = wake(node, shards, random);
      return new Figures(
          (after - before) / (double) count, (before - empty) / (double) count, wakeMillis);
    }
  }

  private static void writeToAll(IndexingProcess node, List<ShardId> shards)
      throws InterruptedException {
    ConcurrentLinkedQueue<ShardId> left = new ConcurrentLinkedQueue<>(shards);
    List<Tasks.Task> clients = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      Random random = new Random(client);
      clients.add(
          node.world
              .tasks()
              .start(
                  "client",
                  () -> {
                    for (ShardId next = left.poll(); next != null; next = left.poll()) {
                      node.write(next, Map.of("first", DocumentShape.LOG_LINE.document(random)));
                    }
                  }));
    }
    for (Tasks.Task client : clients) {
      client.join();
    }
  }

  private static void awaitHollow(IndexingProcess node, int count) throws InterruptedException {
    while (node.tier.hollowShards() < count) {
      Thread.sleep(Duration.ofMillis(50));
    }
  }

  /// One write to each of some hollow shards, no oftener than the log's budget of requests allows.
  private List<Double> wake(IndexingProcess node, List<ShardId> shards, Random random)
      throws Exception {
    List<Double> millis = new ArrayList<>();
    for (ShardId shard : shards.subList(0, Math.min(wakes, shards.size()))) {
      Thread.sleep(BETWEEN_WAKES);
      String document = DocumentShape.LOG_LINE.document(random);
      long start = System.nanoTime();
      node.write(shard, Map.of("next", document));
      millis.add((System.nanoTime() - start) / 1e6);
    }
    return millis;
  }

  /// What is reachable: the least of a few looks after a full collection.
  private static long heapBytes() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int look = 0; look < 4; look++) {
      System.gc();
      Thread.sleep(Duration.ofMillis(300));
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
