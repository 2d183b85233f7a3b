package dev.holdfast.search.execution;

import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.phase.BottomSortValue;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The order in which the shards of one search are searched here: those that may have the best hits
/// first, so that others can be left out.
final class ShardOrder {
  private final SearchSource source;

  /// Null when all shards are searched for hits.
  private final @Nullable BottomSortValue bottom;

  /// By position of the shard; null for unknown.
  private final List<@Nullable Object> bests;

  private final List<Integer> positions = new ArrayList<>();

  private ShardOrder(
      SearchSource source, @Nullable BottomSortValue bottom, List<@Nullable Object> bests) {
    this.source = source;
    this.bottom = bottom;
    this.bests = bests;
    for (int i = 0; i < bests.size(); i++) {
      positions.add(i);
    }
    if (bottom != null) {
      positions.sort(Comparator.comparing(bests::get, Comparator.nullsLast(bottom::compare)));
    }
  }

  static ShardOrder of(SearchSource source, List<@Nullable SearchTarget> targets) {
    BottomSortValue bottom = targets.size() > 1 ? BottomSortValue.of(source) : null;
    List<@Nullable Object> bests = new ArrayList<>();
    boolean isUseful = false;
    for (SearchTarget target : targets) {
      Object best = bottom == null ? null : best(bottom, target);
      bests.add(best);
      isUseful |= best != null;
    }
    return new ShardOrder(source, isUseful ? bottom : null, bests);
  }

  private static @Nullable Object best(BottomSortValue bottom, @Nullable SearchTarget target) {
    // What is kept, or goes on later, must not depend on other shards.
    if (target == null || target.key() != null || target.isScroll()) {
      return null;
    }
    try {
      return target
          .opened()
          .whileOpen(() -> Optional.ofNullable(bottom.bestOf(target.context())))
          .orElse(null);
    } catch (IOException | Refusal e) {
      return null; // the search of the shard says why
    }
  }

  /// Positions of the shards in the order in which they are to be searched.
  List<Integer> positions() {
    return positions;
  }

  /// What to ask of a shard whose turn has come.
  SearchSource left(int position) {
    return bottom == null ? source : bottom.left(bests.get(position));
  }

  void found(ShardResult result) {
    if (bottom != null) {
      bottom.add(result);
    }
  }

  /// Answers that are in the order of [#positions], by position.
  <T> List<T> byPosition(List<T> answers) {
    List<T> sorted = new ArrayList<>(answers);
    for (int i = 0; i < answers.size(); i++) {
      sorted.set(positions.get(i), answers.get(i));
    }
    return sorted;
  }
}
