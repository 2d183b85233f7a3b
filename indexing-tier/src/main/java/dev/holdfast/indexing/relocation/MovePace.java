package dev.holdfast.indexing.relocation;

import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Member;
import dev.holdfast.indexing.node.NodeParts;
import dev.holdfast.world.concurrent.Await;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// How long an owner serves on after it was told to give a shard away, so that the target can warm
/// up ([MoveWarming]) before writes wait for it: for the first that a target gets, which may just
/// have started and runs all of that for the first time, longer than for those that follow. Who is
/// to stop has little time, and gives many away at once.
final class MovePace {
  /// From the first move to a target on.
  static final Duration FIRST = Duration.ofSeconds(1);

  /// What the opening of one shard reads of the store.
  static final Duration LATER = Duration.ofMillis(300);

  /// By target, when the first move to it began here.
  private final Map<String, Long> firstNanos = new ConcurrentHashMap<>();

  /// The owner's wait, before it lets go of the shard.
  ///
  /// @return whether the shard is still to move then
  boolean awaitTarget(NodeParts node, ShardSlot slot) throws InterruptedException {
    ClusterState state = node.cluster().metadata().current();
    Member self = state.members().get(node.cluster().ownership().nodeEphemeralId());
    boolean isStopping = self == null || self.isDraining();
    Duration pause =
        pause(state.assignment(slot.shard).target(), isStopping, node.world().clock().nanoTime());
    firstNanos.keySet().retainAll(state.members().keySet());
    if (pause.isPositive()) {
      Await.pause(node.world(), pause);
    }
    return slot.wanted() == ShardSlot.Wanted.MOVED;
  }

  /// @param target a member; empty when the shard is not to move any more
  Duration pause(String target, boolean isStopping, long nowNanos) {
    if (target.isEmpty()) {
      return Duration.ZERO;
    }
    Long before = firstNanos.putIfAbsent(target, nowNanos);
    long sinceNanos = before == null ? 0 : nowNanos - before;
    if (isStopping) {
      return LATER.minusNanos(sinceNanos);
    }
    Duration left = FIRST.minusNanos(sinceNanos);
    return left.compareTo(LATER) > 0 ? left : LATER;
  }
}
