package dev.holdfast.clusterstate;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The index that another was cloned, split or shrunk from: its shards begin with the documents
/// that the origin's have in the store. Says nothing about whether the origin still exists.
///
/// @param uuid of the origin, which never comes back
/// @param shards how many the origin had; a multiple of the shards of the index, or a factor
/// @param snapshot whose commits of the origin the shards begin with; null for the origin's newest
/// @param lent shards that are read in the snapshot as yet; null for none
public record IndexOrigin(
    String uuid, int shards, @Nullable SnapshotReference snapshot, @Nullable LentBlobs lent) {
  /// An index whose newest commits others begin with.
  public IndexOrigin(String uuid, int shards) {
    this(uuid, shards, null, null);
  }

  /// Whether a shard may have to be read in the snapshot.
  public boolean isLent(int number) {
    return lent != null && lent.shards().contains(number);
  }

  /// The same when all copies of a shard are there.
  IndexOrigin withCopied(int number) {
    return new IndexOrigin(uuid, shards, snapshot, lent == null ? null : lent.without(number));
  }

  /// Which shards of the origin hold the documents of a shard. Ids are routed modulo the number of
  /// shards, so they are those that are equal to it modulo the smaller of both numbers.
  ///
  /// @param number of the shard
  /// @param of how many shards its index has
  public List<ShardId> sources(int number, int of) {
    IndexId origin = new IndexId(uuid, uuid);
    List<ShardId> sources = new ArrayList<>();
    for (int source = number % Math.min(shards, of); source < shards; source += of) {
      sources.add(new ShardId(origin, source));
    }
    return sources;
  }

  /// Whether a shard of the origin is one of [#sources].
  ///
  /// @param source number of the origin's shard
  public boolean isSource(int source, int number, int of) {
    return sources(number, of).stream().anyMatch(shard -> shard.number() == source);
  }
}
