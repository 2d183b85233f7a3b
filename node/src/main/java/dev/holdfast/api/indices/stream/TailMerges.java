package dev.holdfast.api.indices.stream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.Clock;
import dev.holdfast.world.Json;
import dev.holdfast.world.Tasks;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Merges indices that their streams write to no more into few large segments: one shard of the
/// cluster at a time, while lifecycles go on, so that writes elsewhere keep their threads. Which
/// index is done is metadata of the index: nobody asks its shards again. What runs is lost with the
/// leader; the next one begins it again.
final class TailMerges {
  private static final Logger LOG = LoggerFactory.getLogger(TailMerges.class);

  /// What the merge policy makes at most of itself.
  static final long SEGMENT_BYTES = 5L << 30;

  private static final String CUSTOM = "data_stream_lifecycle";

  private final Metadata metadata;
  private final IndexingShards shards;
  private final Clock clock;
  private final Tasks tasks;
  private final AtomicBoolean isRunning = new AtomicBoolean();
  private final Map<String, String> failures = new ConcurrentHashMap<>();

  TailMerges(Metadata metadata, IndexingShards shards, Clock clock, Tasks tasks) {
    this.metadata = metadata;
    this.shards = shards;
    this.clock = clock;
    this.tasks = tasks;
  }

  /// Whether an index is merged already.
  static boolean isDone(IndexMetadata index) {
    return index.customs().path(CUSTOM).has("merged_millis");
  }

  /// Begins to merge indices, one after the other, unless some are being merged.
  void begin(List<IndexMetadata> indices) {
    if (!indices.isEmpty() && isRunning.compareAndSet(false, true)) {
      var _ = tasks.start("stream-tail-merges", () -> run(indices), () -> isRunning.set(false));
    }
  }

  /// Why the last merges failed, by index; told once.
  Map<String, String> failures() {
    Map<String, String> told = Map.copyOf(failures);
    failures.keySet().removeAll(told.keySet());
    return told;
  }

  private void run(List<IndexMetadata> indices) throws InterruptedException {
    try {
      for (IndexMetadata index : indices) {
        run(index);
      }
    } finally {
      isRunning.set(false);
    }
  }

  private void run(IndexMetadata index) throws InterruptedException {
    String name = index.id().name();
    IndexMetadata newest = metadata.current().indices().get(name);
    if (newest == null || !newest.id().equals(index.id()) || isDone(newest)) {
      return;
    }
    try {
      merge(index);
      metadata.update(
          "merged [" + name + "]",
          state -> {
            IndexMetadata now = state.indices().get(name);
            ObjectNode done = Json.object().put("merged_millis", clock.epochMillis());
            return now == null || !now.id().equals(index.id()) || isDone(now)
                ? state
                : state.withIndex(now.withCustom(CUSTOM, done));
          });
      LOG.info("merged the segments of an index that is written to no more [index={}]", name);
    } catch (IOException | RuntimeException e) {
      failures.put(name, String.valueOf(e.getMessage()));
      LOG.warn("retried at a later run [merge={}]", name, e);
    }
  }

  private void merge(IndexMetadata index) throws IOException, InterruptedException {
    for (int number = 0; number < index.shards(); number++) {
      ShardId shard = new ShardId(index.id(), number);
      shards.awaitOpen(shard);
      var stats = shards.stats(shard);
      int segmentsMax = segmentsMax(stats.storeBytes());
      if (stats.segments() > segmentsMax) {
        shards.forceMerge(shard, segmentsMax, false);
        shards.flush(shard);
      }
    }
  }

  /// How many segments a shard is to have at most.
  static int segmentsMax(long bytes) {
    return (int) Math.max(1, (bytes + SEGMENT_BYTES - 1) / SEGMENT_BYTES);
  }
}
