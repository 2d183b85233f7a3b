package dev.holdfast.simulation.cluster;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.World;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// The cluster state as a node sees it that is left in the dark, now and then, about a change which
/// divides a shard: it was not made, or it was, or it is still under way.
final class UnsureMetadata implements Metadata {
  /// Of all such changes one in so many.
  private static final int ONE_IN = 4;

  private static final int LATE_MILLIS_MAX = 500;

  private final World world;
  private final Metadata metadata;

  UnsureMetadata(World world, Metadata metadata) {
    this.world = world;
    this.metadata = metadata;
  }

  @Override
  public ClusterState current() {
    return metadata.current();
  }

  @Override
  public String leaderId() {
    return metadata.leaderId();
  }

  @Override
  public ClusterState update(String reason, UnaryOperator<ClusterState> change)
      throws InterruptedException {
    if (!reason.endsWith(" is divided") || world.chance().nextInt(ONE_IN) != 0) {
      return metadata.update(reason, change);
    }
    switch (world.chance().nextInt(3)) {
      case 0 -> {} // it never reaches the leader
      case 1 -> {
        ClusterState _ = metadata.update(reason, change);
      }
      default -> comesLate(reason, change);
    }
    throw new Refusal(ErrorType.PROCESS_CLUSTER_EVENT_TIMEOUT, "nobody knows: " + reason);
  }

  /// A change is made to the state that it was proposed for, or not at all.
  private void comesLate(String reason, UnaryOperator<ClusterState> change) {
    long base = metadata.current().version();
    Duration late = Duration.ofMillis(world.chance().nextInt(LATE_MILLIS_MAX));
    var _ =
        world
            .tasks()
            .start(
                "late-change",
                () -> {
                  world.sleeper().sleep(late);
                  try {
                    ClusterState _ =
                        metadata.update(
                            reason, state -> state.version() == base ? change.apply(state) : state);
                  } catch (RuntimeException _) {
                    // nobody waits for it
                  }
                });
  }

  @Override
  public void listen(Listener listener) {
    metadata.listen(listener);
  }
}
