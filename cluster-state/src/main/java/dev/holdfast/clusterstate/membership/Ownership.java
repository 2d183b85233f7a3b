package dev.holdfast.clusterstate.membership;

import dev.holdfast.objectstore.StoreTrouble;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.Optional;

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

  /// The request that the store has refused again and again without which this node cannot know
  /// whether it may serve. Empty while there is none: what keeps it may pass in a moment.
  default Optional<StoreTrouble> refused() {
    return Optional.empty();
  }

  /// As [#requireServing], of what only reads: while the store refuses to say who leads, it is told
  /// so at once, and nobody waits for it.
  default void requireServingReads(ErrorType type, String what) {
    if (!mayServe()) {
      Refusal refusal = new Refusal(type, what + ": " + whyNotServing());
      throw refused()
          .map(trouble -> StoreTrouble.telling(refusal, trouble.failure()))
          .orElse(refusal);
    }
  }

  /// Told by whoever found proof (a fence in the log, a lease of a higher term): the node
  /// acknowledges and deletes nothing from now on, and stops.
  void evicted(String why);
}
