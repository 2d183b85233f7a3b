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

  /// What others can be told: the name or the address of one host. Whether they know it, only they
  /// can say.
  ///
  /// @param text empty for none
  /// @throws IllegalArgumentException for a port, a URL, all addresses of a machine, and for
  ///   Elasticsearch's `_site_` and its like
  static String publishable(String text) {
    boolean isName = text.matches("[A-Za-z0-9][A-Za-z0-9._-]*");
    boolean isIpv6 = text.matches("[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*");
    boolean isOfAll = text.equals("0.0.0.0") || text.equals("::");
    if (!text.isEmpty() && (isOfAll || !(isName || isIpv6))) {
      throw new IllegalArgumentException(
          "it is not the name or the address of one host, without a port");
    }
    return text;
  }
}
