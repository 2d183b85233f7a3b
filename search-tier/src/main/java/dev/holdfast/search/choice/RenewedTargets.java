package dev.holdfast.search.choice;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.search.node.StaleTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.StopSignal;
import dev.holdfast.world.World;
import dev.holdfast.world.concurrent.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/// Asks shards, and asks anew when one of them has given documents away that are wanted of it
/// (decision 031): of the shards that have them now. So what is asked sees the documents of a shard
/// from before it was divided, or those of all its parts, and never some of them.
public final class RenewedTargets {
  /// For how long a state is waited for that a search node knows already.
  private static final Duration WAIT_MAX = Duration.ofSeconds(10);

  private static final Duration POLL = Duration.ofMillis(5);

  private final World world;
  private final Metadata metadata;

  public RenewedTargets(World world, Metadata metadata) {
    this.world = world;
    this.metadata = metadata;
  }

  /// Asks the shards.
  @FunctionalInterface
  public interface Asking<T> {
    T ask(List<ShardTarget> targets) throws IOException, InterruptedException;
  }

  /// @param asking is told by a [StaleTarget] that it is to ask anew
  /// @throws Refusal `no_shard_available_action_exception` when no newer state comes
  public <T> T run(List<ShardTarget> targets, Asking<T> asking)
      throws IOException, InterruptedException {
    List<ShardTarget> now = targets;
    while (true) {
      try {
        return asking.ask(now);
      } catch (Refusal e) {
        if (!StaleTarget.is(e)) {
          throw e;
        }
        now = awaited(now, e);
      }
    }
  }

  private List<ShardTarget> awaited(List<ShardTarget> asked, Refusal why)
      throws InterruptedException {
    List<ShardTarget> targets = placed(asked);
    List<ShardTarget> newer =
        Await.found(
            world,
            WAIT_MAX,
            POLL,
            () -> {
              StopSignal.lookForCancelling();
              List<ShardTarget> renewed = of(metadata.current(), targets);
              return renewed.equals(targets) ? null : renewed;
            });
    if (newer == null) {
      throw new Refusal(
          ErrorType.NO_SHARD_AVAILABLE,
          "a shard was divided, and the cluster state that says so has not come",
          why);
    }
    return newer;
  }

  /// The same, each in its place.
  private static List<ShardTarget> placed(List<ShardTarget> targets) {
    List<ShardTarget> placed = new ArrayList<>();
    for (ShardTarget target : targets) {
      placed.add(target.placed(placed.size(), targets.size()));
    }
    return placed;
  }

  /// The shards that have the documents now which the targets had.
  public static List<ShardTarget> of(ClusterState state, List<ShardTarget> targets) {
    SequencedSet<ShardTarget> renewed = new LinkedHashSet<>(); // none is asked twice
    for (ShardTarget target : targets) {
      IndexMetadata index = state.indices().get(target.shard().index().name());
      IndexSplit split = index == null ? null : index.split();
      if (index == null
          || split == null
          || !index.id().equals(target.shard().index())
          || target.context() != null) {
        renewed.add(target);
        continue;
      }
      int number = target.shard().number();
      renewed.add(target.in(index, number));
      for (int made : split.madeOf(number, target.dividedSince())) {
        renewed.add(target.in(index, made));
      }
    }
    return List.copyOf(renewed);
  }
}
