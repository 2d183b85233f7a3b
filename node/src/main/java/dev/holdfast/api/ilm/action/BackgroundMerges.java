package dev.holdfast.api.ilm.action;

import dev.holdfast.api.background.IndexWork;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.Tasks;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Merges indices of policies to few segments, as [IndexWork] says.
public final class BackgroundMerges {
  private final IndexWork work;
  private final IndexingShards shards;

  /// @param state which indices there are: what failed for others is forgotten
  public BackgroundMerges(Tasks tasks, Supplier<ClusterState> state, IndexingShards shards) {
    this.work = new IndexWork(tasks, "lifecycle-merge", state);
    this.shards = shards;
  }

  /// Begins a merge unless one runs.
  ///
  /// @return the uuid of the index that is being merged now
  String begin(IndexMetadata index, int segmentsMax) {
    return work.begin(index, () -> merge(index, segmentsMax));
  }

  boolean isRunning(IndexMetadata index) {
    return work.isRunning(index);
  }

  /// Why the last merge of an index failed, told once; null when it did not.
  @Nullable Refusal failure(IndexMetadata index) {
    return work.failure(index);
  }

  private void merge(IndexMetadata index, int segmentsMax)
      throws IOException, InterruptedException {
    for (int number = 0; number < index.shards(); number++) {
      ShardId shard = new ShardId(index.id(), number);
      shards.forceMerge(shard, segmentsMax, false);
      shards.flush(shard);
    }
  }

  /// Indices whose failure nobody has asked for yet.
  int untold() {
    return work.untold();
  }
}
