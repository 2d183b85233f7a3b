package dev.holdfast.clusterstate.membership;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// What people call a cluster (`cluster.name`). Two that have named theirs differently and point
/// their nodes at one prefix of a store by mistake would become one cluster, and their documents
/// one index: who has another name than the leader is not taken in. A name that nobody has chosen
/// says nothing.
public final class ClusterName {
  /// Of who has not chosen one.
  public static final String DEFAULT = "holdfast";

  /// In the refusal.
  private static final String EXPECTED = "expected_cluster_name";

  private ClusterName() {}

  /// @param own of the leader
  /// @param theirs of who asks to join; empty where a build does not say
  /// @throws Refusal when both were chosen, and differ; see [#isRefusal]
  static void require(String own, String theirs) {
    if (isChosen(own) && isChosen(theirs) && !own.equals(theirs)) {
      throw new Refusal(
              ErrorType.ILLEGAL_STATE,
              "the cluster in this store is called ["
                  + own
                  + "], this node's cluster.name is ["
                  + theirs
                  + "]: is its store the one that is meant? To rename a cluster, stop all its nodes")
          .with(EXPECTED, own);
    }
  }

  private static boolean isChosen(String name) {
    return !name.isEmpty() && !name.equals(DEFAULT);
  }

  /// Whether a node was not taken in because of its name: it need not ask again.
  public static boolean isRefusal(Refusal refusal) {
    return refusal.metadata().containsKey(EXPECTED);
  }
}
