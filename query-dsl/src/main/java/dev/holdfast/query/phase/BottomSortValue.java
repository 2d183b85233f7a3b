package dev.holdfast.query.phase;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.collect.PointInterval;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.request.SearchExtras;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.query.sort.NumberKey;
import dev.holdfast.query.sort.SortKey;
import dev.holdfast.query.sort.SortKeys;
import java.io.IOException;
import java.util.PriorityQueue;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.jspecify.annotations.Nullable;

/// What the shards of a search that are searched on one node tell each other: the first sort value
/// of the last hit wanted, so far. A shard whose best value comes after it has no hit to add, and
/// once enough documents are counted nothing at all. Safe for many threads.
public final class BottomSortValue {
  private final SearchSource source;
  private final SearchSource counting;
  private final SearchSource empty;

  /// Of the best hits so far, the worst on top; guards itself and what follows.
  private final PriorityQueue<Object> best;

  private long counted;

  private BottomSortValue(SearchSource source) {
    this.source = source;
    this.counting = source.withoutHits(source.totalHitsUpTo());
    this.empty = source.withoutHits(-1);
    this.best = new PriorityQueue<>((a, b) -> SearchMerge.compareFirst(source, b, a));
  }

  /// Null for a search whose shards have something to add besides their best hits and totals.
  public static @Nullable BottomSortValue of(SearchSource source) {
    SearchExtras extras = source.extras();
    boolean isPlain =
        !source.sorts().isEmpty()
            && source.hitsOfShard() > 0
            && !source.tracksScores()
            && source.aggregations().isEmpty()
            && source.minScore() == null
            && source.terminateAfter() == 0
            && extras.collapse() == null
            && extras.rescores().isEmpty()
            && extras.suggest() == null
            && !extras.isProfiled();
    return isPlain ? new BottomSortValue(source) : null;
  }

  /// The first sort value that no document of a shard is better than, as points tell; null where
  /// they don't.
  public @Nullable Object bestOf(QueryContext context) throws IOException {
    SortKey key = SortKeys.bind(source.sorts(), context).getFirst();
    if (!(key instanceof NumberKey number)
        || !(number.lucene() instanceof SortKeys.NumericField sort)
        || number.missing() == null
        || sort.pointBytes() == 0
        || source.sorts().getFirst().isMissingFirst()) {
      return null;
    }
    PointInterval interval = PointInterval.whole(sort.getField(), sort.pointBytes());
    Long found = null;
    for (LeafReaderContext leaf : context.searcher().getIndexReader().leaves()) {
      PointValues points = leaf.reader().getPointValues(sort.getField());
      if (points != null && points.size() > 0) {
        long one =
            interval.decode(
                sort.getReverse() ? points.getMaxPackedValue() : points.getMinPackedValue());
        found =
            found == null ? one : sort.getReverse() ? Math.max(found, one) : Math.min(found, one);
      }
    }
    return number.mergeable(found == null ? number.missing() : found);
  }

  /// Which of two shards is to be searched first, by [#bestOf].
  public int compare(Object a, Object b) {
    return SearchMerge.compareFirst(source, a, b);
  }

  /// What is left to ask of a shard; the search itself as long as it may have hits to add.
  ///
  /// @param bestOfShard null for unknown
  public synchronized SearchSource left(@Nullable Object bestOfShard) {
    Object bottom = best.size() < source.hitsOfShard() ? null : best.peek();
    if (bestOfShard == null
        || bottom == null
        || !SortKinds.areAlike(bestOfShard, bottom) // which the merge refuses
        || compare(bestOfShard, bottom) <= 0) {
      return source;
    }
    boolean isCounted = source.totalHitsUpTo() == -1 || counted > source.totalHitsUpTo();
    return isCounted ? empty : counting;
  }

  /// Notes what a shard found.
  public synchronized void add(ShardResult result) {
    counted += Math.max(0, result.total());
    for (ShardHit hit : result.hits()) {
      Object first = hit.sortValues().getFirst();
      if (first == null) {
        continue; // a term that is missing: such sorts have no best value of a shard
      }
      if (best.size() == source.hitsOfShard()) {
        if (compare(first, best.element()) >= 0) {
          return; // those that follow are no better
        }
        best.remove();
      }
      best.add(first);
    }
  }
}
