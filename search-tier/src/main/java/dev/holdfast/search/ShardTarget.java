package dev.holdfast.search;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.ShardId;
import org.jspecify.annotations.Nullable;

/// A shard to be searched, and what of it.
///
/// @param context the commit pinned for a scroll or a point in time; null for the newest
/// @param filter query of the alias that names the index; null for none
/// @param slice null for the whole
public record ShardTarget(
    ShardId shard, @Nullable ContextId context, @Nullable JsonNode filter, @Nullable Slice slice) {

  /// The newest commit of a whole shard.
  public static ShardTarget of(ShardId shard) {
    return new ShardTarget(shard, null, null, null);
  }

  public ShardTarget at(ContextId pinned) {
    return new ShardTarget(shard, pinned, filter, slice);
  }

  /// One of several disjoint parts of a search.
  ///
  /// @param id which, from 0
  /// @param field whose values choose the part; null for ids
  public record Slice(int id, int max, @Nullable String field) {}
}
