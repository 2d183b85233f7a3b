package dev.holdfast.clusterstate;

import java.io.IOException;

/// Whether this node is still a member of the cluster, as the lease in the store says (§5, §6).
public interface Ownership {
  /// This process, as the store knows it: made anew at each start, names its translog folder.
  String nodeEphemeralId();

  /// Reads the lease now.
  ///
  /// @return false when another term or a higher node-left generation shows that this node was
  ///   evicted
  boolean isStillMember() throws IOException;

  /// Told by whoever found proof (a fence in the log, a lease of a higher term): the node
  /// acknowledges and deletes nothing from now on, and stops.
  void evicted(String why);
}
