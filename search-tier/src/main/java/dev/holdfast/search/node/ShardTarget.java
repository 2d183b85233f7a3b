package dev.holdfast.search.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.IndexSplit;
import dev.holdfast.clusterstate.ShardId;
import org.jspecify.annotations.Nullable;

/// A shard to be searched, and what of it.
///
/// @param context the commit pinned for a scroll or a point in time; null for the newest
/// @param filter query of the alias that names the index; null for none
/// @param slice null for the whole
/// @param keepMillis for how long from now the pinned commit is to be kept; -1 for as long as was
///   said before
/// @param dividedSince [IndexMetadata#dividedSince(int)] as who asks knows it: a commit that is not
///   pinned must show the documents that the shard has since then, or [#ANY]
public record ShardTarget(
    ShardId shard,
    @Nullable ContextId context,
    @Nullable JsonNode filter,
    @Nullable Slice slice,
    long keepMillis,
    long dividedSince) {
  /// Of who does not care which documents a shard has given away.
  public static final long ANY = -1;

  /// Of a shard that was never divided.
  public ShardTarget(
      ShardId shard,
      @Nullable ContextId context,
      @Nullable JsonNode filter,
      @Nullable Slice slice,
      long keepMillis) {
    this(shard, context, filter, slice, keepMillis, IndexSplit.NEVER);
  }

  /// The same.
  public ShardTarget(
      ShardId shard,
      @Nullable ContextId context,
      @Nullable JsonNode filter,
      @Nullable Slice slice) {
    this(shard, context, filter, slice, -1);
  }

  /// The newest commit of a whole shard that was never divided.
  public static ShardTarget of(ShardId shard) {
    return new ShardTarget(shard, null, null, null);
  }

  /// The newest commit of a whole shard.
  public static ShardTarget of(IndexMetadata index, int number) {
    return new ShardTarget(
        new ShardId(index.id(), number), null, null, null, -1, index.dividedSince(number));
  }

  public ShardTarget at(ContextId pinned) {
    return new ShardTarget(shard, pinned, filter, slice, keepMillis, dividedSince);
  }

  /// A part of the same.
  public ShardTarget part(@Nullable Slice wanted) {
    return new ShardTarget(shard, context, filter, wanted, keepMillis, dividedSince);
  }

  /// The same of another shard of an index, or of this one as it is now.
  public ShardTarget in(IndexMetadata index, int number) {
    return new ShardTarget(
        new ShardId(index.id(), number),
        context,
        filter,
        slice,
        keepMillis,
        index.dividedSince(number));
  }

  /// The same seen through what a point in time was opened through.
  public ShardTarget through(@Nullable JsonNode other) {
    return new ShardTarget(shard, context, other, slice, keepMillis, dividedSince);
  }

  /// The same in the place that it has among the shards of a search, if it is of a slice: whatever
  /// is searched in its stead has the part that it would have had, so that slices which are begun
  /// before and after a shard was divided fit each other.
  ///
  /// @param ordinal of the shard
  /// @param shards of the search
  public ShardTarget placed(int ordinal, int shards) {
    return slice == null || slice.isPlaced() ? this : part(slice.at(ordinal, shards));
  }

  /// One of several disjoint parts of a search.
  ///
  /// @param id which, from 0
  /// @param field whose values choose the part; null for ids
  /// @param ordinal of the shard among those of the search, from which the part follows; -1 for the
  ///   place in which the shard is asked
  /// @param shards of the search then
  public record Slice(int id, int max, @Nullable String field, int ordinal, int shards) {
    public Slice(int id, int max, @Nullable String field) {
      this(id, max, field, -1, 0);
    }

    public boolean isPlaced() {
      return ordinal >= 0;
    }

    private Slice at(int place, int places) {
      return new Slice(id, max, field, place, places);
    }
  }
}
