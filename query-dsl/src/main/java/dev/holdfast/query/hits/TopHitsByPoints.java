package dev.holdfast.query.hits;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.collect.PointExtremes;
import dev.holdfast.query.collect.PointInterval;
import dev.holdfast.query.collect.Weights;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.sort.NumberKey;
import dev.holdfast.query.sort.SortKey;
import dev.holdfast.query.sort.SortKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/// The shortcut for hits sorted by a field with points: the point trees tell the value that the
/// last hit has, and only documents from there to the best value are collected. Exactly so for a
/// query that asks for nothing but values of that field (all of them, or a range); for other
/// queries it is a guess.
///
/// Lucene skips documents that can't compete too, but only once it has seen better ones: where
/// documents lie in the order of time and the newest are wanted, every one it meets competes.
final class TopHitsByPoints {
  /// Documents beyond the wanted ones, for ties, that are worth collecting this way.
  private static final int TIES_MAX = 10_000;

  /// Hits to be expected in the likely part, times those wanted.
  private static final int LIKELY_HITS = 2;

  /// The likely part is at most this fraction of all documents.
  private static final int LIKELY_SHARE = 16;

  private final PointInterval interval;
  private final boolean isDescending;
  private final long missing;
  private final @Nullable Long after;
  private final List<Segment> segments;

  /// @param missing what stands for no value in the sort
  /// @param after hits are wanted from this value on, ties with it being in question; null: all
  private TopHitsByPoints(
      PointInterval interval,
      boolean isDescending,
      long missing,
      @Nullable Long after,
      List<Segment> segments) {
    this.interval = interval;
    this.isDescending = isDescending;
    this.missing = missing;
    this.after = after;
    this.segments = segments;
  }

  /// The points of a segment that has any.
  private record Segment(LeafReaderContext leaf, PointValues points, long least, long greatest) {
    boolean isSingleValued() {
      return points.size() == points.getDocCount();
    }
  }

  /// Null when the sort or the query is none that the shortcut answers.
  static @Nullable TopHitsByPoints of(
      SearchSource source, QueryContext context, List<SortKey> keys, Query query)
      throws IOException {
    SortKeys.NumericField sort = sort(source, keys);
    int bytes = sort == null ? 0 : sort.pointBytes();
    if (sort == null || bytes == 0) {
      return null;
    }
    Query rewritten = context.searcher().rewrite(new ConstantScoreQuery(query));
    PointInterval interval = PointInterval.of(rewritten, sort.getField(), bytes);
    return interval == null ? null : of(source, context, keys, interval);
  }

  /// A part of a query of any kind in which its best hits are likely to be: as many documents from
  /// the best value on as should have twice the hits wanted, were matches spread evenly.
  ///
  /// @return null when there is none that is much smaller
  static @Nullable Query likely(
      SearchSource source, QueryContext context, List<SortKey> keys, Query query, int hits)
      throws IOException {
    SortKeys.NumericField sort = sort(source, keys);
    int bytes = sort == null ? 0 : sort.pointBytes();
    IndexSearcher searcher = context.searcher();
    int documents = searcher.getIndexReader().maxDoc();
    if (sort == null || bytes == 0 || hits > documents / (LIKELY_HITS * LIKELY_SHARE)) {
      return null;
    }
    TopHitsByPoints top = of(source, context, keys, PointInterval.whole(sort.getField(), bytes));
    long matching = top == null ? 0 : matching(searcher, query);
    if (top == null || matching == 0) {
      return null;
    }
    double wanted = (double) LIKELY_HITS * hits * documents / Math.min(documents, matching);
    if (wanted > Math.min(TIES_MAX, documents / LIKELY_SHARE)) {
      return null;
    }
    Query narrowed = top.narrowed((int) wanted);
    return narrowed == null
        ? null
        : new BooleanQuery.Builder()
            .add(query, BooleanClause.Occur.FILTER)
            .add(narrowed, BooleanClause.Occur.FILTER)
            .build();
  }

  /// About how many documents match.
  private static long matching(IndexSearcher searcher, Query query) throws IOException {
    Weight weight = Weights.of(searcher, query, false, ScoreMode.COMPLETE);
    long cost = 0;
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      ScorerSupplier supplier = weight.scorerSupplier(leaf);
      cost += supplier == null ? 0 : supplier.cost();
    }
    return cost;
  }

  /// The first key, when it is one whose order points have; null for others.
  private static SortKeys.@Nullable NumericField sort(SearchSource source, List<SortKey> keys) {
    return !keys.isEmpty()
            && keys.getFirst() instanceof NumberKey key
            && key.lucene() instanceof SortKeys.NumericField sort
            && !source.sorts().getFirst().isMissingFirst()
            && key.missing() != null
            && !source.tracksScores()
            && keys.stream().noneMatch(other -> other instanceof SortKey.Score)
        ? sort
        : null;
  }

  private static @Nullable TopHitsByPoints of(
      SearchSource source, QueryContext context, List<SortKey> keys, PointInterval interval)
      throws IOException {
    if (!(keys.getFirst() instanceof NumberKey key)
        || !(key.lucene() instanceof SortKeys.NumericField sort)
        || key.missing() == null) {
      return null;
    }
    FieldDoc position = HitCollectors.after(source, context, keys);
    Long after = null;
    if (position != null) {
      if (!(position.fields[0] instanceof Number value)) {
        return null;
      }
      after = value.longValue();
    }
    List<Segment> segments = segments(context, interval);
    TopHitsByPoints top =
        new TopHitsByPoints(interval, sort.getReverse(), key.missing(), after, segments);
    return top.sortsByWhatPointsTell(sort) ? top : null;
  }

  private static List<Segment> segments(QueryContext context, PointInterval interval)
      throws IOException {
    List<Segment> segments = new ArrayList<>();
    for (LeafReaderContext leaf : context.searcher().getIndexReader().leaves()) {
      PointValues points = leaf.reader().getPointValues(interval.field());
      if (points != null && points.size() > 0) {
        long least = interval.decode(points.getMinPackedValue());
        long greatest = interval.decode(points.getMaxPackedValue());
        segments.add(new Segment(leaf, points, least, greatest));
      }
    }
    return segments;
  }

  /// A document of several values may match by one and be sorted by another; not so when it is
  /// sorted by its best and the interval has no end there.
  private boolean sortsByWhatPointsTell(SortKeys.NumericField sort) {
    boolean isByMax = sort.getSelector() == SortedNumericSelector.Type.MAX;
    boolean isByBest = isByMax == isDescending;
    for (Segment segment : segments) {
      boolean isOpen =
          isDescending ? segment.greatest <= interval.to() : segment.least >= interval.from();
      if (!segment.isSingleValued() && !(isByBest && isOpen)) {
        return false;
      }
    }
    return true;
  }

  /// A query that matches at least the best hits with all their ties, and little else; null when
  /// there is none that is cheaper.
  @Nullable Query narrowed(int hits) throws IOException {
    PointInterval ahead = ahead();
    long ties =
        after == null ? 0 : count(new PointInterval(ahead.field(), after, after, ahead.bytes()));
    if (ties > TIES_MAX) {
      return null;
    }
    PointExtremes best = new PointExtremes(ahead, isDescending, hits + (int) ties);
    Comparator<Segment> bestFirst =
        isDescending
            ? Comparator.comparingLong(Segment::greatest).reversed()
            : Comparator.comparingLong(Segment::least);
    for (Segment segment : segments.stream().sorted(bestFirst).toList()) {
      best.add(segment.points, segment.leaf.reader().getLiveDocs());
    }
    // A value that looks like no value ties with documents that have none.
    if (!best.isFull() || best.worst() == missing) {
      return null;
    }
    PointInterval narrow =
        isDescending
            ? new PointInterval(ahead.field(), best.worst(), ahead.to(), ahead.bytes())
            : new PointInterval(ahead.field(), ahead.from(), best.worst(), ahead.bytes());
    return count(narrow) <= hits + ties + TIES_MAX ? narrow.query() : null;
  }

  /// Where the hits wanted lie.
  private PointInterval ahead() {
    if (after == null) {
      return interval;
    }
    return isDescending
        ? new PointInterval(
            interval.field(), interval.from(), Math.min(interval.to(), after), interval.bytes())
        : new PointInterval(
            interval.field(), Math.max(interval.from(), after), interval.to(), interval.bytes());
  }

  private long count(PointInterval of) throws IOException {
    long count = 0;
    for (Segment segment : segments) {
      count += of.count(segment.points);
    }
    return count;
  }

  /// A number of documents that match at least; more may.
  long countMin() throws IOException {
    long count = 0;
    for (Segment segment : segments) {
      if (segment.isSingleValued()) {
        long matching = interval.count(segment.points);
        count += Math.max(0, matching - segment.leaf.reader().numDeletedDocs());
      }
    }
    return count;
  }
}
