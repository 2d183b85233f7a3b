package dev.holdfast.clusterstate;

import java.util.function.UnaryOperator;

/// The cluster state as the rest of a node sees it: read at once, changed through the leader.
public interface Metadata {
  /// The newest state known here.
  ClusterState current();

  /// Ephemeral id of the leader as this node knows it; empty when it knows none.
  default String leaderId() {
    return "";
  }

  /// Changes the state: `change` is applied to the newest state, in order with all other changes;
  /// the result is durable in the store and has been applied by every listener of this node before
  /// this returns. Returning the same object changes nothing.
  ///
  /// @param reason for the log: what is being done
  /// @throws dev.holdfast.world.Refusal thrown by `change`: nothing is changed
  ClusterState update(String reason, UnaryOperator<ClusterState> change)
      throws InterruptedException;

  /// Calls `listener` with each new state, in order, from one thread. It is called once with the
  /// current state first.
  void listen(Listener listener);

  /// Reacts to a new state.
  interface Listener {
    void changed(ClusterState before, ClusterState now);
  }
}
