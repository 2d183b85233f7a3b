package dev.holdfast.clusterstate;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;

/// Which version of formats a cluster speaks. A new format is written, and a new call made, only
/// where [#areEnabled] for the version that brought it: from then on every member reads it, and no
/// build that does not may join. The version grows by itself, as soon as every member speaks a
/// later one; it never shrinks.
public final class Formats {
  /// A cluster setting: while it is `true` the version stays, so that an upgrade can be taken back.
  public static final String HOLD = "cluster.formats.hold";

  /// The version that brought snapshots: what they pin, and indices that begin with them.
  public static final int SNAPSHOTS = 2;

  /// The version that brought modes of indices (`index.mode`), and `lookup` fields: a build that
  /// does not know them takes such an index for a standard one, or cannot read its mapping.
  public static final int INDEX_MODES = 3;

  /// The version that brought splits of indices that are written to: a build that does not know
  /// them looks for documents in other shards.
  public static final int ONLINE_SPLIT = 4;

  /// The version that brought compact indices of logs and time series: a build that does not know
  /// them cannot read their columns, and writes norms that they do not have.
  public static final int COMPACT_MODES = 5;

  /// The version that brought restored indices that are read before their blobs are copied: a build
  /// that does not know them misses those blobs, and lets the snapshot go that has them.
  public static final int LENT_BLOBS = 6;

  /// The custom of the state that holds the version.
  static final String CUSTOM = "minimum_version";

  /// Metadata of a refusal to take a member in.
  private static final String SPOKEN = "cluster_version";

  private Formats() {}

  /// Whether the formats that came with a version may be used.
  public static boolean areEnabled(ClusterState state, int version) {
    return state.minimumVersion() >= version;
  }

  /// @param what needs that version, in the plural
  /// @throws Refusal while members of an earlier build are in the cluster, or the version is held
  public static void requireEnabled(ClusterState state, int version, String what) {
    if (!areEnabled(state, version)) {
      throw new Refusal(
          ErrorType.ILLEGAL_STATE_OF_REQUEST,
          what
              + " need a cluster that speaks version "
              + version
              + " of its formats, this one speaks "
              + state.minimumVersion()
              + ": upgrade all nodes, and let ["
              + HOLD
              + "] go");
    }
  }

  /// The state under the newest version that all its members speak.
  ///
  /// @param leader that makes the state: it may be about to leave it
  public static ClusterState raised(ClusterState state, Build leader) {
    if (state.members().isEmpty() || "true".equals(String.valueOf(state.setting(HOLD)))) {
      return state;
    }
    int newest = leader.newest();
    for (Member member : state.members().values()) {
      newest = Math.min(newest, member.build().newest());
    }
    return newest > state.minimumVersion()
        ? state.withCustom(CUSTOM, IntNode.valueOf(newest))
        : state;
  }

  /// @throws Refusal when a process of that build cannot be a member; see [#isRefusal]
  public static void require(ClusterState state, Build build) {
    int spoken = state.minimumVersion();
    if (!build.speaks(spoken)) {
      throw new Refusal(
              ErrorType.ILLEGAL_STATE,
              "the cluster speaks version "
                  + spoken
                  + " of its formats, this node speaks "
                  + build.oldest()
                  + " to "
                  + build.newest()
                  + ": start "
                  + (build.newest() < spoken ? "a newer" : "an older")
                  + " holdfast [build="
                  + build.id()
                  + "]")
          .with(SPOKEN, spoken);
    }
  }

  /// Whether a node was not taken in because of its build: it need not ask again.
  public static boolean isRefusal(Refusal refusal) {
    return refusal.metadata().containsKey(SPOKEN);
  }
}
