package dev.holdfast.autoscaler;

import java.time.Duration;
import java.util.List;

/// What the nodes of a tier report, put together: what its size is decided by.
///
/// @param nodes what each has said
/// @param nodesExpected members that should have said something
/// @param ownerlessLoad threads that shards without an owner kept busy when they had one
/// @param nodeMemoryBytes the least that each node must have
/// @param tierMemoryBytes that mappings and shards need together
/// @param cacheBytes that should be held on local disks: of data and of `search_power`
/// @param idle since the last request
/// @param isAwaited whether a request is held until there is a node
public record TierNeeds(
    List<NodeLoad> nodes,
    int nodesExpected,
    double ownerlessLoad,
    long nodeMemoryBytes,
    long tierMemoryBytes,
    long cacheBytes,
    Duration idle,
    boolean isAwaited) {
  public TierNeeds {
    nodes = List.copyOf(nodes);
  }

  /// A load, and nothing else that matters.
  public static TierNeeds ofLoad(List<NodeLoad> nodes) {
    return new TierNeeds(nodes, nodes.size(), 0, 0, 0, 0, Duration.ZERO, false);
  }

  /// The sum of what can be believed: the true load is no less.
  double load() {
    double sum = nodes.stream().filter(NodeLoad::isCredible).mapToDouble(NodeLoad::load).sum();
    return sum + (isOwnerlessCredible() ? ownerlessLoad : 0);
  }

  private boolean isOwnerlessCredible() {
    return ownerlessLoad >= 0
        && ownerlessLoad <= NodeLoad.OVERLOAD_MAX * NodeLoad.THREADS_MAX * SizeLadder.NODES_MAX;
  }

  /// Why these figures are not the whole truth, empty when they are.
  String doubt() {
    int silent = nodesExpected - nodes.size();
    if (silent > 0) {
      return silent + " of " + nodesExpected + " nodes have said nothing";
    }
    for (NodeLoad node : nodes) {
      if (!node.isCredible()) {
        return "what node [" + node.node() + "] said is old or cannot be true";
      }
    }
    if (!isOwnerlessCredible()) {
      return "the load of shards without owner cannot be true";
    }
    boolean isPossible = nodeMemoryBytes >= 0 && tierMemoryBytes >= 0 && cacheBytes >= 0;
    return isPossible && !idle.isNegative() ? "" : "a figure is negative";
  }
}
