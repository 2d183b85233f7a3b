package dev.holdfast.clusterstate.allocation;

/// What a shard costs the member that holds it.
///
/// @param writes threads that its writes keep busy: seconds of indexing a second, lately
/// @param bytes of its newest commit
public record ShardLoad(double writes, long bytes) {
  public static final ShardLoad NONE = new ShardLoad(0, 0);
}
