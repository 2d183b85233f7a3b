package dev.holdfast.clusterstate;

/// How busy this node is, in a unit that all nodes share: what the leader weighs shards by.
@FunctionalInterface
public interface Load {
  Load NONE = () -> 0;

  double now();
}
