package dev.holdfast.indexing.mark;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.clusterstate.UploadMark;
import dev.holdfast.clusterstate.UploadMarks;
import dev.holdfast.clusterstate.membership.Ownership;
import dev.holdfast.objectstore.LostObjectException;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.world.CorruptObjectException;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the cluster state which object a shard lacks, or has damaged, that cannot be opened for it
/// (decision 018), so that every node can say it. It is told when two tries in a row meet the same
/// object: a single one may have met a delete on its way, or damage on the way here. The shard is
/// tried on: somebody may put the object back, or accept its loss.
public final class MissingObjects {
  private static final Logger LOG = LoggerFactory.getLogger(MissingObjects.class);
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final int WHY_LENGTH_MAX = 500;

  private final World world;
  private final Metadata metadata;
  private final Ownership ownership;

  /// The object that the last try lacked.
  private final Map<ShardId, String> suspected = new ConcurrentHashMap<>();

  public MissingObjects(World world, Metadata metadata, Ownership ownership) {
    this.world = world;
    this.metadata = metadata;
    this.ownership = ownership;
  }

  /// A shard could not be opened.
  public void failed(ShardId shard, Throwable why) throws InterruptedException {
    String key = key(why);
    if (key == null) {
      suspected.remove(shard);
      return;
    }
    boolean isAgain = key.equals(suspected.put(shard, key));
    UploadMark mark = UploadMarks.of(metadata.current(), shard);
    if (!isAgain || key.equals(mark.lost())) {
      return;
    }
    CorruptObjectException damage = CorruptObjectException.in(why);
    String text = String.valueOf((damage == null ? why : damage).getMessage());
    String how = text.substring(0, Math.min(text.length(), WHY_LENGTH_MAX));
    LOG.error(
        "a shard lacks an object and is not opened before it is back, or its loss is accepted"
            + " [shard={}, key={}]",
        shard,
        key);
    try {
      ClusterState _ =
          metadata.update(
              "shard " + shard + " lacks " + key,
              state ->
                  state.assignment(shard).owner().equals(ownership.nodeEphemeralId())
                      ? UploadMarks.with(
                          state, shard, UploadMarks.of(state, shard).withLost(key, how))
                      : state);
    } catch (RuntimeException e) {
      LOG.warn("the cluster state could not be told what a shard lacks [shard={}]", shard, e);
    }
  }

  /// It was opened, or nothing was to be done.
  public void none(ShardId shard) {
    suspected.remove(shard);
  }

  /// Waits before the next try; not longer when a person has said that the loss is accepted.
  public void pause(ShardId shard, Duration pause) throws InterruptedException {
    boolean accepted = UploadMarks.of(metadata.current(), shard).acceptsLoss();
    boolean _ =
        Await.until(
            world,
            pause,
            LOOK,
            () -> UploadMarks.of(metadata.current(), shard).acceptsLoss() != accepted);
  }

  private static boolean isOfShards(String key) {
    return key.startsWith("shards/") || key.startsWith("log/");
  }

  /// The object that is missing or damaged; null when it is something else.
  private static @Nullable String key(@Nullable Throwable why) {
    for (Throwable cause = why; cause != null; cause = cause.getCause()) {
      switch (cause) {
        case LostObjectException lost -> {
          return lost.key();
        }
        case CorruptObjectException damaged when isOfShards(damaged.key()) -> {
          return damaged.key();
        }
        case StoreException.NotFound missing when isOfShards(missing.key()) -> {
          return missing.key();
        }
        default -> {}
      }
    }
    return null;
  }
}
