package dev.holdfast.clusterstate;

/// Which shard of an index a document's hash belongs to (decision 031): the hash modulo `to` where
/// that shard exists already, else modulo `from`. An index that is not being split has as many
/// shards as both.
///
/// @param shards that exist, numbered from 0
/// @param from how many there were before the split
/// @param to how many there will be; a multiple of `from`
public record ShardLayout(int shards, int from, int to) {
  public ShardLayout {
    if (from < 1 || shards < from || to < shards || to % from != 0) {
      throw new IllegalArgumentException(
          "no layout of shards [shards=" + shards + ", from=" + from + ", to=" + to + "]");
    }
  }

  /// Of an index that is not being split.
  public static ShardLayout of(int shards) {
    return new ShardLayout(shards, shards, shards);
  }

  /// The shard of a hash.
  public int shard(int hash) {
    int wanted = Math.floorMod(hash, to);
    return wanted < shards ? wanted : Math.floorMod(hash, from);
  }
}
