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

  /// Empty for what only a newer build does.
  public static Optional<Role> labelled(String label) {
    return Arrays.stream(values()).filter(role -> role.label().equals(label)).findFirst();
  }
}
