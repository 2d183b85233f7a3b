package dev.holdfast.settings;

import dev.holdfast.clusterstate.ClusterConfig;

/// How a node speaks with others.
///
/// @param publishHost where others reach it; empty for the address it serves on
/// @param isCompressed whether large bodies between nodes are compressed
public record NetworkSettings(String publishHost, boolean isCompressed, ClusterConfig cluster) {
  static NetworkSettings defaults() {
    return new NetworkSettings("", false, ClusterConfig.defaults());
  }
}
