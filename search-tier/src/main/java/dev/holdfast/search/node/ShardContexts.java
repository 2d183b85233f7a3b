package dev.holdfast.search.node;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/// Commits kept open for scrolls and points in time (§6.1): they survive refreshes and merges, and
/// the blobs they read from are reported in use. Every method blocks.
public interface ShardContexts {
  /// Keeps the commit that a shard is searched at now.
  ///
  /// @param keepAlive it is closed when nobody asked for it that long
  /// @param request what the next page of a scroll needs to know of the first, for its coordinator
  /// @throws dev.holdfast.world.Refusal when too many are open
  ContextId open(ShardTarget target, Kind kind, Duration keepAlive, String request);

  /// @return those that were still there
  Set<ContextId> close(Collection<ContextId> contexts);

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
