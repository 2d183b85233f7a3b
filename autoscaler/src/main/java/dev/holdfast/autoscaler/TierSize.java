package dev.holdfast.autoscaler;

/// How large a tier is: so many nodes, all of one size.
public record TierSize(int nodes, NodeSize size) {
  public TierSize {
    nodes = Math.max(0, nodes);
  }

  public double cores() {
    return nodes * size.cores();
  }

  double memoryBytes() {
    return (double) nodes * size.memoryBytes();
  }

  double cacheBytes() {
    return (double) nodes * size.cacheBytes();
  }

  @Override
  public String toString() {
    return nodes + (nodes == 1 ? " node of " : " nodes of ") + size;
  }
}
