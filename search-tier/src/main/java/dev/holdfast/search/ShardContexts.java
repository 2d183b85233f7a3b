package dev.holdfast.search;

import dev.holdfast.clusterstate.ShardId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Commits kept open for scrolls and points in time (§6.1): they survive refreshes and merges, and
/// the blobs they read from are reported in use. Every method blocks.
public interface ShardContexts {
  /// Keeps the commit that a shard is searched at now.
  ///
  /// @param keepAlive it is closed when nobody asked for it that long
  /// @param request what the next page of a scroll needs to know of the first, for its coordinator
  /// @throws dev.holdfast.world.Refusal when too many are open
  ContextId open(ShardTarget target, Kind kind, Duration keepAlive, String request);

  /// Keeps the commit of a scroll's context on another search node too, for the time when its node
  /// has died: on one whose copy is searched at that commit; else on any, which reads it from the
  /// store when it has to. For that it is uploaded.
  ///
  /// @return null when no other search node keeps it
  @Nullable ContextId openSpare(ShardId shard, ContextId context, Duration keepAlive);

  /// Asks that it be kept that much longer from now.
  ///
  /// @return null when it is not there, or its node does not answer now
  @Nullable Progress progress(ContextId context, Duration keepAlive);

  /// How far a context of a scroll is.
  ///
  /// @param pages that the client of the scroll has, as far as was said
  /// @param isSettled no page was searched since then
  record Progress(long pages, boolean isSettled) {}

  /// The client of a scroll has so many pages: both contexts of a shard go on after them. One that
  /// can't be told is closed, or left behind.
  ///
  /// @param ahead the one that the last page was searched with
  /// @param behind null when there is no other
  /// @return whether there are two that stand there now
  boolean settle(ContextId ahead, @Nullable ContextId behind, long pages);

  /// The request that it was opened for.
  ///
  /// @throws dev.holdfast.world.Refusal `search_context_missing_exception`
  String request(ContextId context);

  /// @return false when it was not there any more
  boolean close(ContextId context);

  /// Closes all of a kind.
  ///
  /// @return how many there were
  int closeAll(Kind kind);

  /// How many are open.
  int open(Kind kind);

  /// What it is kept for.
  enum Kind {
    SCROLL,
    POINT_IN_TIME
  }
}
