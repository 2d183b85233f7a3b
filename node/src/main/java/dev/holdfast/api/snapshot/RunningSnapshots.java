package dev.holdfast.api.snapshot;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The snapshots that this node is making or deleting, by uuid: what is `STARTED` or `DELETING` in
/// this node's name and not among them has been left behind.
public final class RunningSnapshots {
  private final String node;
  private final Set<String> uuids = ConcurrentHashMap.newKeySet();

  /// @param node this node's ephemeral id
  public RunningSnapshots(String node) {
    this.node = node;
  }

  String node() {
    return node;
  }

  void begin(String uuid) {
    uuids.add(uuid);
  }

  void end(String uuid) {
    uuids.remove(uuid);
  }

  boolean contains(String uuid) {
    return uuids.contains(uuid);
  }
}
