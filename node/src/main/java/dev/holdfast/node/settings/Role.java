package dev.holdfast.node.settings;

import java.util.Locale;

/// What a node does (§3).
public enum Role {
  /// Holds indexing shards: takes writes, uploads commits.
  INDEX,
  /// Holds search shards: answers searches through commits and the blob cache.
  SEARCH;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
