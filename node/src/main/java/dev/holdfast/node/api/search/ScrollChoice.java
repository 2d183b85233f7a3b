package dev.holdfast.node.api.search;

import dev.holdfast.search.ContextId;
import dev.holdfast.search.ContextIds;
import dev.holdfast.search.ShardContexts;
import dev.holdfast.search.ShardContexts.Progress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Which of a shard's two contexts a page of a scroll is searched with.
///
/// @param second stands where the page begins too, and may be asked when the first fails; null for
///   none
record ScrollChoice(ContextId first, @Nullable ContextId second) {
  /// @param pages that the client has: a context that has searched more of them than the client got
  ///   would skip one
  static ScrollChoice of(
      ShardContexts contexts, ContextIds.Held held, long pages, Duration keepAlive) {
    ContextId main = held.context();
    ContextId spare = held.spare();
    Progress ofMain = contexts.progress(main, keepAlive);
    if (spare == null) {
      return new ScrollChoice(main, null);
    }
    Progress ofSpare = contexts.progress(spare, keepAlive);
    boolean isMain = isThere(ofMain, pages);
    boolean isSpare = isThere(ofSpare, pages);
    if (isMain || isSpare) {
      return new ScrollChoice(isMain ? main : spare, isMain && isSpare ? spare : null);
    }
    // A client that sends an earlier id: the one that is ahead is right.
    boolean isSpareAhead = ofSpare != null && (ofMain == null || ofSpare.pages() > ofMain.pages());
    return new ScrollChoice(isSpareAhead ? spare : main, null);
  }

  private static boolean isThere(@Nullable Progress progress, long pages) {
    return progress != null && progress.isSettled() && progress.pages() == pages;
  }
}
