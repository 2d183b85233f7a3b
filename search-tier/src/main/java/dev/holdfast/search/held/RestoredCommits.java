package dev.holdfast.search.held;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.compoundcommit.CompoundCommit;
import dev.holdfast.compoundcommit.PointInTimePin;
import dev.holdfast.compoundcommit.store.CommitStore;
import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.search.copy.OpenCommit;
import dev.holdfast.search.copy.SearchCopies;
import dev.holdfast.search.node.ShardContexts;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.search.node.StoredCommit;
import dev.holdfast.world.Json;
import dev.holdfast.world.World;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Opens commits again whose node is gone: of scrolls, when their spare knows which; of points in
/// time, whose pin in the store says it and has kept their blobs (§6.1).
public final class RestoredCommits {
  private final World world;
  private final ObjectStore store;
  private final PinStore pins;
  private final SearchCopies copies;

  public RestoredCommits(World world, ObjectStore store, PinStore pins, SearchCopies copies) {
    this.world = world;
    this.store = store;
    this.pins = pins;
    this.copies = copies;
  }

  /// The commit of a shard in a point in time; null when that is closed or over.
  @Nullable HeldCommit open(String id, ShardId shard) throws IOException {
    PointInTimePin pin = pins.find(id).orElse(null);
    PointInTimePin.Pinned pinned = pin == null ? null : pin.of(shard).orElse(null);
    long leftMillis = pin == null ? -1 : pin.untilMillis() - world.clock().epochMillis();
    if (pin == null || pinned == null || leftMillis < 0) {
      return null;
    }
    StoredCommit commit =
        new StoredCommit(shard, pinned.primaryTerm(), pinned.generation(), pinned.blobs());
    OpenCommit opened = open(commit);
    if (opened == null) {
      return null;
    }
    String filter = pinned.filter();
    ShardTarget target =
        new ShardTarget(shard, null, filter.isEmpty() ? null : Json.parse(filter), null);
    long nowNanos = world.clock().nanoTime();
    HeldCommit held =
        new HeldCommit(
            target,
            ShardContexts.Kind.POINT_IN_TIME,
            commit,
            opened,
            "",
            false,
            nowNanos,
            nowNanos + leftMillis * 1_000_000);
    // Written anew soon, so that a node that held it before sees that it is not its own any more.
    held.pinned(new HeldCommit.Pin(id, pin.isKeptBy(shard), -1));
    return held;
  }

  /// Null when the index was deleted meanwhile, and its blobs with it.
  @Nullable OpenCommit open(StoredCommit wanted) throws IOException {
    try {
      for (CompoundCommit commit : new CommitStore(store, wanted.shard()).commits(wanted.home())) {
        if (wanted.is(commit)) {
          return copies.open(wanted.shard(), commit);
        }
      }
    } catch (StoreException.NotFound e) {
      return null;
    }
    throw new IOException(
        "a commit is not in its blob [shard="
            + wanted.shard()
            + ", generation="
            + wanted.generation()
            + "]");
  }
}
