package dev.holdfast.routing;

import dev.holdfast.clusterstate.Formats;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.ShardLayout;
import dev.holdfast.document.Routing;
import dev.holdfast.http.RequestPieces;
import dev.holdfast.indexing.call.ShardOwner;
import dev.holdfast.indexing.operation.WriteOperation;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.FanOut;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Where requests belong whose shard gave documents away after it was chosen (decision 031), as the
/// newest state known here says.
final class DividedShards {
  /// Shards that are refreshed at the same time for one.
  private static final int REFRESHED_AT_ONCE = 16;

  private final World world;
  private final Metadata metadata;
  private final Diversions diversions = new Diversions();

  /// Shards whose sources have been seen without what these have: nobody who asks a source alone
  /// misses what is refreshed here.
  private final Set<ShardId> shown = ConcurrentHashMap.newKeySet();

  DividedShards(World world, Metadata metadata) {
    this.world = world;
    this.metadata = metadata;
  }

  /// Refreshes a shard.
  @FunctionalInterface
  interface Refreshing {
    void refresh(ShardId shard) throws IOException, InterruptedException;
  }

  /// Null when the index is gone, or was never split.
  private @Nullable IndexMetadata divided(ShardId shard) {
    IndexMetadata index = metadata.current().indices().get(shard.index().name());
    return index == null || !index.id().equals(shard.index()) || index.split() == null
        ? null
        : index;
  }

  /// [IndexMetadata#dividedSince(int)] of a shard.
  long since(ShardId shard) {
    IndexMetadata index = divided(shard);
    return index == null ? IndexSplit.NEVER : index.dividedSince(shard.number());
  }

  /// The same where all nodes understand it; else no shard was ever divided, and it is
  /// [ShardOwner#ANY].
  long known(ShardId shard) {
    boolean isKnown = Formats.areEnabled(metadata.current(), Formats.ONLINE_SPLIT);
    return isKnown ? since(shard) : ShardOwner.ANY;
  }

  /// The shards that once had the documents of a shard.
  List<ShardId> sources(ShardId shard) {
    IndexMetadata index = divided(shard);
    IndexSplit split = index == null ? null : index.split();
    return split == null
        ? List.of()
        : split.sources(shard.number()).stream()
            .map(number -> new ShardId(shard.index(), number))
            .toList();
  }

  /// Where operations go that are meant for a shard.
  ///
  /// @param wanted places of the operations, in order
  /// @return such places by shard, in order
  Map<ShardId, List<Integer>> places(
      ShardId shard, List<WriteOperation> operations, List<Integer> wanted) {
    IndexMetadata index = divided(shard);
    if (index == null) {
      return Map.of(shard, wanted);
    }
    ShardLayout layout = index.layout();
    Map<ShardId, List<Integer>> places = new LinkedHashMap<>();
    for (int slot : wanted) {
      WriteOperation operation = operations.get(slot);
      int number = Routing.shard(operation.id(), operation.routing(), layout, index.settings());
      places.computeIfAbsent(new ShardId(index.id(), number), _ -> new ArrayList<>()).add(slot);
    }
    return places;
  }

  /// A write that is meant for a shard goes to another, until [#ended].
  void diverted(ShardId from, ShardId to) {
    diversions.begin(from, to);
    diversions.retain(shard -> divided(shard) != null);
    shown.removeIf(shard -> divided(shard) == null);
  }

  /// It was answered, or is given up.
  void ended(ShardId from, ShardId to) {
    diversions.end(from, to);
  }

  /// Refreshes a shard and, side by side with it, those that its writes went to.
  ///
  /// @param refreshing of a shard itself
  void refresh(ShardId shard, Refreshing refreshing) throws IOException, InterruptedException {
    List<Diversions.Seen> others = diversions.of(shard);
    if (others.isEmpty()) {
      boolean _ = refreshOne(shard, refreshing);
      return;
    }
    List<Callable<Boolean>> all = new ArrayList<>();
    all.add(() -> refreshOne(shard, refreshing));
    for (Diversions.Seen seen : others) {
      all.add(() -> {
        boolean isShown = refreshOne(seen.other(), refreshing);
        diversions.shown(shard, seen);
        return isShown;
      });
    }
    FanOut sideBySide = FanOut.of(world, "refresh-diverted").atOnce(REFRESHED_AT_ONCE);
    List<Boolean> _ = RequestPieces.all(sideBySide, all);
  }

  private boolean refreshOne(ShardId shard, Refreshing refreshing)
      throws IOException, InterruptedException {
    show(shard, refreshing);
    refreshing.refresh(shard);
    return true;
  }

  /// Refreshes the sources of a shard the first time: what is refreshed in it from then on is not
  /// missed by who has not heard that they were divided, and asks them alone.
  private void show(ShardId shard, Refreshing refreshing) throws IOException, InterruptedException {
    IndexMetadata index = divided(shard);
    IndexSplit split = index == null ? null : index.split();
    IndexSplit.Part part = split == null ? null : split.part(shard.number());
    if (part != null && !shown.contains(shard)) {
      ShardId source = new ShardId(shard.index(), part.source());
      show(source, refreshing);
      refreshing.refresh(source);
      shown.add(shard);
    }
  }
}
