package dev.holdfast.clusterstate.membership;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;

/// Whether this node is still a member of the cluster, as the lease in the store says (§5, §6).
public interface Ownership {
  /// This process, as the store knows it: made anew at each start, names its translog folder.
  String nodeEphemeralId();

  /// Reads the lease now.
  ///
  /// @return false when another term or a higher node-left generation shows that this node was
  ///   evicted
  /// @throws IOException when it cannot be told now: the lease names a leader that does not answer
  boolean isStillMember() throws IOException;

  /// Whether this node may answer searches: it heard of a leader a moment ago, or the lease shows
  /// that nobody was evicted since it last did. A node that slept or is cut off may not, lest it
  /// serve what was overwritten elsewhere.
  boolean mayServe();

  /// In one line, for the client: what keeps this node from answering where [#mayServe] says no.
  default String whyNotServing() {
    return "this node does not know whether it is still a member of its cluster";
  }

  /// @param what is not done, or not there, for the message
  /// @throws Refusal of that type unless [#mayServe]
  default void requireServing(ErrorType type, String what) {
    if (!mayServe()) {
      throw new Refusal(type, what + ": " + whyNotServing());
    }
  }

  /// Told by whoever found proof (a fence in the log, a lease of a higher term): the node
  /// acknowledges and deletes nothing from now on, and stops.
  void evicted(String why);
}
