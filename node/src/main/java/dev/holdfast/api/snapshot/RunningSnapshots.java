package dev.holdfast.api.snapshot;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The snapshots that this node is making or deleting, by uuid: what is `STARTED` or `DELETING` in
/// this node's name and not among them has been left behind.
public final class RunningSnapshots {
  private final String node;
  private final Set<String> uuids = ConcurrentHashMap.newKeySet();
  private volatile boolean hasLeft;

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

  /// Something that this node began could not be given up.
  void leftBehind() {
    hasLeft = true;
  }

  /// Whether anything was left behind since this was asked last.
  boolean takeLeft() {
    boolean was = hasLeft;
    hasLeft = false;
    return was;
  }

  boolean contains(String uuid) {
    return uuids.contains(uuid);
  }
}
