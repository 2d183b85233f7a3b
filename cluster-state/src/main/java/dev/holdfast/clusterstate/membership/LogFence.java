package dev.holdfast.clusterstate.membership;

import java.io.IOException;

/// Shuts a node out of its log (§5): after that it acknowledges nothing more.
@FunctionalInterface
public interface LogFence {
  /// @param nodeEphemeralId of a member that is being evicted
  void fence(String nodeEphemeralId) throws IOException;
}
