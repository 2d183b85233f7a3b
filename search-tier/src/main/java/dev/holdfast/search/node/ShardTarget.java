package dev.holdfast.search.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.ShardId;
import org.jspecify.annotations.Nullable;

/// A shard to be searched, and what of it.
///
/// @param context the commit pinned for a scroll or a point in time; null for the newest
/// @param filter query of the alias that names the index; null for none
/// @param slice null for the whole
/// @param keepMillis for how long from now the pinned commit is to be kept; -1 for as long as was
///   said before
public record ShardTarget(
    ShardId shard,
    @Nullable ContextId context,
    @Nullable JsonNode filter,
    @Nullable Slice slice,
    long keepMillis) {
  public ShardTarget(
      ShardId shard,
      @Nullable ContextId context,
      @Nullable JsonNode filter,
      @Nullable Slice slice) {
    this(shard, context, filter, slice, -1);
  }

  /// The newest commit of a whole shard.
  public static ShardTarget of(ShardId shard) {
    return new ShardTarget(shard, null, null, null);
  }

  public ShardTarget at(ContextId pinned) {
    return new ShardTarget(shard, pinned, filter, slice, keepMillis);
  }

  /// The same seen through what a point in time was opened through.
  public ShardTarget through(@Nullable JsonNode other) {
    return new ShardTarget(shard, context, other, slice, keepMillis);
  }

  /// One of several disjoint parts of a search.
  ///
  /// @param id which, from 0
  /// @param field whose values choose the part; null for ids
  public record Slice(int id, int max, @Nullable String field) {}
}
