package dev.holdfast.clusterstate;

import java.util.Locale;

/// One shard of an index.
///
/// @param number from 0
public record ShardId(IndexId index, int number) {
  /// The folder of the shard's blobs in the store: `shards/<hash>/<index-uuid>/<shard>/`. The hash
  /// comes early so that a store which partitions by key prefix spreads shards.
  public String folder() {
    int hash = (index.uuid().hashCode() * 31 + number) * 0x9E3779B9;
    return String.format(Locale.ROOT, "shards/%02x/%s/%d/", hash >>> 24, index.uuid(), number);
  }

  @Override
  public String toString() {
    return "[" + index.name() + "][" + number + "]";
  }
}
