package dev.holdfast.clusterstate;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What a node does (§3).
public enum Role {
  /// Holds indexing shards: takes writes, uploads commits.
  INDEX,
  /// Holds search shards: answers searches through commits and the blob cache.
  SEARCH,
  /// Takes requests of clients and sends them on; every node does, this one nothing else.
  PROXY;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Why a request that needs such a node waited in vain, for people; nothing when there is one.
  public String absence(ClusterState state) {
    boolean isThere =
        state.members().values().stream().anyMatch(member -> member.roles().contains(this));
    return isThere
        ? ""
        : "no member of the cluster has the role ["
            + label()
            + "]; GET /_holdfast/autoscaling/explain says who starts nodes, and what keeps it from"
            + " that";
  }

  /// Empty for what only a newer build does.
  public static Optional<Role> labelled(String label) {
    return Arrays.stream(values()).filter(role -> role.label().equals(label)).findFirst();
  }
}
