package dev.holdfast.api.ilm.action;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Merges indices of policies to few segments, one index at a time, while the policies of others go
/// on. What runs is lost with the process; the step that wants it begins it again.
public final class BackgroundMerges {
  private final Tasks tasks;
  private final Supplier<ClusterState> state;
  private final IndexingShards shards;
  private final AtomicReference<String> running = new AtomicReference<>("");

  /// By uuid; taken away by who is told, or when the index is gone.
  private final Map<String, Refusal> failures = new ConcurrentHashMap<>();

  /// @param state which indices there are: what failed for others is forgotten
  public BackgroundMerges(Tasks tasks, Supplier<ClusterState> state, IndexingShards shards) {
    this.tasks = tasks;
    this.state = state;
    this.shards = shards;
  }

  /// Begins a merge unless one runs.
  ///
  /// @return the uuid of the index that is being merged now
  String begin(IndexMetadata index, int segmentsMax) {
    String uuid = index.id().uuid();
    if (running.compareAndSet("", uuid)) {
      var _ =
          tasks.start("lifecycle-merge", () -> merge(index, segmentsMax), () -> running.set(""));
      return uuid;
    }
    return running.get();
  }

  boolean isRunning(IndexMetadata index) {
    return running.get().equals(index.id().uuid());
  }

  /// Why the last merge of an index failed, told once; null when it did not.
  @Nullable Refusal failure(IndexMetadata index) {
    return failures.remove(index.id().uuid());
  }

  private void merge(IndexMetadata index, int segmentsMax) throws InterruptedException {
    try {
      for (int number = 0; number < index.shards(); number++) {
        ShardId shard = new ShardId(index.id(), number);
        shards.forceMerge(shard, segmentsMax, false);
        shards.flush(shard);
      }
    } catch (Refusal e) {
      failures.put(index.id().uuid(), e);
    } catch (java.io.IOException | RuntimeException e) {
      failures.put(
          index.id().uuid(), new Refusal(ErrorType.INTERNAL, String.valueOf(e.getMessage()), e));
    } finally {
      forgetDeleted();
      running.set("");
    }
  }

  private void forgetDeleted() {
    if (!failures.isEmpty()) {
      Set<String> there =
          state.get().indices().values().stream()
              .map(index -> index.id().uuid())
              .collect(Collectors.toSet());
      failures.keySet().retainAll(there);
    }
  }

  /// Indices whose failure nobody has asked for yet.
  int untold() {
    return failures.size();
  }
}
