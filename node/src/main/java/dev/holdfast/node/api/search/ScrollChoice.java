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
/// @param pages that they stand after
record ScrollChoice(ContextId first, @Nullable ContextId second, long pages) {
  /// @param pages that the client has: a context that has searched more of them than the client got
  ///   would skip one
  static ScrollChoice of(
      ShardContexts contexts, ContextIds.Held held, long pages, Duration keepAlive) {
    ContextId main = held.context();
    ContextId spare = held.spare();
    Progress ofMain = contexts.progress(main, keepAlive);
    if (spare == null) {
      return new ScrollChoice(main, null, pages);
    }
    Progress ofSpare = contexts.progress(spare, keepAlive);
    long from = isThere(ofMain, pages) || isThere(ofSpare, pages) ? pages : most(ofMain, ofSpare);
    boolean isMain = isThere(ofMain, from);
    boolean isSpare = isThere(ofSpare, from);
    if (isMain || isSpare) {
      return new ScrollChoice(isMain ? main : spare, isMain && isSpare ? spare : null, from);
    }
    return new ScrollChoice(ofMain == null && ofSpare != null ? spare : main, null, pages);
  }

  /// For a client that sends an earlier id: the pages that it was given last.
  private static long most(@Nullable Progress one, @Nullable Progress other) {
    long pages = one != null && one.isSettled() ? one.pages() : -1;
    return other != null && other.isSettled() ? Math.max(pages, other.pages()) : pages;
  }

  private static boolean isThere(@Nullable Progress progress, long pages) {
    return progress != null && progress.isSettled() && progress.pages() == pages;
  }
}
