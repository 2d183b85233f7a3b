package dev.holdfast.node.settings;

import dev.holdfast.clusterstate.ClusterConfig;

/// How a node speaks with others.
///
/// @param publishHost where others reach it; empty for the address it serves on
/// @param isCompressed whether large bodies between nodes are compressed
public record Networking(String publishHost, boolean isCompressed, ClusterConfig cluster) {
  static Networking defaults() {
    return new Networking("", false, ClusterConfig.defaults());
  }
}
