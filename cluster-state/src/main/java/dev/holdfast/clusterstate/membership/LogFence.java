package dev.holdfast.clusterstate.membership;

import java.io.IOException;

/// Shuts a node out of its log (§5): after that it acknowledges nothing more.
@FunctionalInterface
public interface LogFence {
  /// @param nodeEphemeralId of a member that is being evicted
  /// @param durable the last file of its log that is known to be in the store; -1 when none is
  /// @param leads asked right before anything is written: a leader that stood still meanwhile would
  ///   shut out a member of its successor
  void fence(String nodeEphemeralId, long durable, Leads leads) throws IOException;

  /// Who evicts leads still.
  @FunctionalInterface
  interface Leads {
    /// @throws IOException when another leads by now, or that cannot be known
    void require() throws IOException;
  }
}
