package dev.holdfast.search.copy;

import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Waits for the cluster state that a commit was made under. Without the mappings that a commit was
/// made with, searches would not find what is in it; and who does not know a shard's owner may
/// believe an earlier one.
final class AwaitedState {
  private static final Duration POLL = Duration.ofMillis(10);

  /// How long a commit waits.
  private static final Duration WAIT_MAX = Duration.ofSeconds(5);

  private final World world;
  private final Metadata metadata;

  AwaitedState(World world, Metadata metadata) {
    this.world = world;
    this.metadata = metadata;
  }

  /// @param isOver nobody needs it any more
  /// @throws IOException when it has not come in time
  void await(ShardId shard, long version, BooleanSupplier isOver) throws IOException {
    boolean hasCome;
    try {
      hasCome =
          Await.until(
              world,
              WAIT_MAX,
              POLL,
              () -> isOver.getAsBoolean() || metadata.current().version() >= version);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a cluster state was waited for");
    }
    long now = metadata.current().version();
    if (!hasCome || now < version) {
      throw new IOException(
          "a cluster state has not come [shard="
              + shard
              + ", wanted="
              + version
              + ", version="
              + now
              + "]");
    }
  }
}
