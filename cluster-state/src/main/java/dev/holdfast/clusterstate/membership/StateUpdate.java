package dev.holdfast.clusterstate.membership;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.ClusterState;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/// A change of the cluster state that waits for its turn.
sealed interface StateUpdate {
  /// Done with the state that holds the change.
  CompletableFuture<ClusterState> done();

  /// After that nobody waits for it any more.
  long deadlineNanos();

  /// A change made on this node.
  record Local(
      String reason,
      UnaryOperator<ClusterState> change,
      long deadlineNanos,
      CompletableFuture<ClusterState> done)
      implements StateUpdate {}

  /// A change that a follower made to the state of version `base`, and asks its leader to take.
  record Proposed(
      String member,
      long base,
      JsonNode delta,
      long deadlineNanos,
      CompletableFuture<ClusterState> done)
      implements StateUpdate {}
}
