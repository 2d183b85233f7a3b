package dev.holdfast.api.document;

import dev.holdfast.api.document.WriteRequests.Refresh;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.http.RequestPieces;
import dev.holdfast.indexing.call.IndexingShards;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// Makes shards searchable that a request has written to, side by side: who asks for it waits for
/// the slowest of them, and no longer because there are many.
record WrittenShards(World world, IndexingShards shards) {
  /// Shards that are refreshed at the same time; to wait for those that refresh by themselves costs
  /// nothing.
  private static final int AT_ONCE = 16;

  /// Returns when all are searchable, as was asked.
  ///
  /// @throws IOException as the first failed, in their order
  void refresh(Refresh refresh, Iterable<ShardId> written)
      throws IOException, InterruptedException {
    if (refresh == Refresh.NO) {
      return;
    }
    List<ShardId> all = new ArrayList<>();
    written.forEach(all::add);
    if (all.size() == 1) {
      boolean _ = isRefreshed(refresh, all.getFirst());
      return;
    }
    List<Callable<Boolean>> pieces = new ArrayList<>();
    all.forEach(shard -> pieces.add(() -> isRefreshed(refresh, shard)));
    FanOut fanOut = FanOut.of(world, "refresh-written");
    List<Boolean> _ =
        RequestPieces.all(refresh == Refresh.NOW ? fanOut.atOnce(AT_ONCE) : fanOut, pieces);
  }

  private boolean isRefreshed(Refresh refresh, ShardId shard)
      throws IOException, InterruptedException {
    switch (refresh) {
      case NO -> {}
      case NOW -> shards.refresh(shard);
      case WAIT -> shards.awaitRefresh(shard);
    }
    return true;
  }
}
