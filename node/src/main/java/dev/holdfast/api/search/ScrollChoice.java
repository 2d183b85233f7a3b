package dev.holdfast.api.search;

import dev.holdfast.search.context.ContextIds;
import dev.holdfast.search.context.ScrollContexts;
import dev.holdfast.search.context.ScrollContexts.Progress;
import dev.holdfast.search.coordination.SearchResponse;
import dev.holdfast.search.held.ScrollPosition;
import dev.holdfast.search.node.ContextId;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which of its two contexts each shard is searched with, for a page of a scroll.
///
/// @param contexts in the order of the shards
/// @param pages that they stand after
record ScrollChoice(List<ContextId> contexts, long pages) {
  /// A page of a scroll that was searched, whether it came or not.
  ///
  /// @param failure null when it came
  /// @param positions where its contexts stand when the client has it; nothing of those that do not
  ///   know it
  record Attempt(
      ScrollChoice choice,
      @Nullable SearchResponse response,
      @Nullable Refusal failure,
      Map<ContextId, ScrollPosition> positions) {
    boolean isWhole() {
      return response != null
          && response.failedShards() == 0
          && positions.keySet().containsAll(choice.contexts());
    }

    /// Whether nodes do not answer, or have lost their leader: that passes.
    boolean isUnavailable() {
      return failedBy(ErrorType.NO_SHARD_AVAILABLE);
    }

    /// Whether contexts are gone.
    boolean isOver() {
      return failedBy(ErrorType.SEARCH_CONTEXT_MISSING);
    }

    private boolean failedBy(ErrorType type) {
      if (response == null) {
        return Objects.requireNonNull(failure).status() == type.status();
      }
      return response.shardFailures().stream()
          .map(one -> one.get("reason"))
          .anyMatch(
              why -> why instanceof Map<?, ?> reason && type.type().equals(reason.get("type")));
    }
  }

  /// The contexts that stand where the client is. A client that sends an earlier id is where it was
  /// given a page last. A shard without a context there fails: another would skip a page, or repeat
  /// one.
  static ScrollChoice of(ContextIds ids, Map<ContextId, Progress> known) {
    List<List<ContextId>> right = new ArrayList<>();
    for (ContextIds.Held held : ids.shards()) {
      right.add(right(held, known));
    }
    boolean isNewest =
        right.stream()
            .allMatch(shard -> shard.stream().anyMatch(one -> isAt(known.get(one), ids.pages())));
    long pages = ids.pages();
    for (ContextId context :
        isNewest ? List.<ContextId>of() : right.stream().flatMap(List::stream).toList()) {
      pages = Math.max(pages, Objects.requireNonNull(known.get(context)).pages());
    }
    List<ContextId> chosen = new ArrayList<>();
    for (int i = 0; i < right.size(); i++) {
      chosen.add(chosen(ids.shards().get(i), right.get(i), known, pages));
    }
    return new ScrollChoice(chosen, pages);
  }

  /// Those of a shard that may stand where the client is, the one to be asked first first.
  private static List<ContextId> right(ContextIds.Held held, Map<ContextId, Progress> known) {
    List<ContextId> there =
        Stream.of(held.context(), held.spare())
            .filter(Objects::nonNull)
            .filter(known::containsKey)
            .toList();
    Optional<ContextId> alone =
        there.stream()
            .filter(one -> Objects.requireNonNull(known.get(one)).isAlone())
            .max((a, b) -> Long.compare(pages(known.get(a)), pages(known.get(b))));
    return alone.map(List::of).orElse(there);
  }

  private static ContextId chosen(
      ContextIds.Held held, List<ContextId> right, Map<ContextId, Progress> known, long pages) {
    for (ContextId context : right) {
      if (isAt(known.get(context), pages)) {
        return context;
      }
    }
    return Stream.of(held.context(), held.spare())
        .filter(Objects::nonNull)
        .filter(context -> !known.containsKey(context))
        .findFirst()
        .orElse(ContextId.none(held.context().kind()));
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
    return progress != null && progress.pages() == pages;
  }

  private static long pages(@Nullable Progress progress) {
    return progress == null ? -1 : progress.pages();
  }
}
