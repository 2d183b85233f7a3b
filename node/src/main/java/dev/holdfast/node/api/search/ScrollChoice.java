package dev.holdfast.node.api.search;

import dev.holdfast.search.ContextId;
import dev.holdfast.search.ContextIds;
import dev.holdfast.search.ScrollContexts;
import dev.holdfast.search.ScrollContexts.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Which of its two contexts each shard is searched with, for a page of a scroll.
///
/// @param contexts in the order of the shards
/// @param pages that they stand after
record ScrollChoice(List<ContextId> contexts, long pages) {
  /// The contexts that stand where the client is: one that has searched more pages than the client
  /// got would skip one. A client that sends an earlier id is where it was given a page last.
  static ScrollChoice of(ScrollContexts scrolls, ContextIds ids, Duration keepAlive) {
    List<ContextIds.Held> shards = ids.shards();
    List<ContextId> main = shards.stream().map(ContextIds.Held::context).toList();
    Map<ContextId, Progress> known = new HashMap<>(scrolls.progress(main, keepAlive));
    if (main.stream().allMatch(context -> isAt(known.get(context), ids.pages()))) {
      return new ScrollChoice(main, ids.pages());
    }
    List<ContextId> spares =
        shards.stream().map(ContextIds.Held::spare).filter(Objects::nonNull).toList();
    known.putAll(scrolls.progress(spares, keepAlive));
    long pages = ids.pages();
    for (ContextIds.Held held : shards) {
      Progress ofMain = known.get(held.context());
      Progress ofSpare = known.get(held.spare());
      if (!isAt(ofMain, ids.pages()) && !isAt(ofSpare, ids.pages())) {
        pages = Math.max(pages, Math.max(settled(ofMain), settled(ofSpare)));
      }
    }
    List<ContextId> chosen = new ArrayList<>();
    for (ContextIds.Held held : shards) {
      Progress ofMain = known.get(held.context());
      Progress ofSpare = known.get(held.spare());
      boolean isSpare =
          isAt(ofMain, pages) ? false : isAt(ofSpare, pages) || (ofMain == null && ofSpare != null);
      chosen.add(isSpare ? Objects.requireNonNull(held.spare()) : held.context());
    }
    return new ScrollChoice(chosen, pages);
  }

  /// The other contexts, when all of them stand where these do.
  Optional<ScrollChoice> others(ScrollContexts scrolls, ContextIds ids, Duration keepAlive) {
    List<ContextId> others = new ArrayList<>();
    for (int i = 0; i < contexts.size(); i++) {
      ContextId other = ids.shards().get(i).other(contexts.get(i));
      if (other == null) {
        return Optional.empty();
      }
      others.add(other);
    }
    Map<ContextId, Progress> known = scrolls.progress(others, keepAlive);
    return others.stream().allMatch(context -> isAt(known.get(context), pages))
        ? Optional.of(new ScrollChoice(others, pages))
        : Optional.empty();
  }

  private static boolean isAt(@Nullable Progress progress, long pages) {
    return progress != null && progress.isSettled() && progress.pages() == pages;
  }

  private static long settled(@Nullable Progress progress) {
    return progress != null && progress.isSettled() ? progress.pages() : -1;
  }
}
