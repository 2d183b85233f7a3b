package dev.holdfast.query;

import dev.holdfast.query.aggregation.Reduction;
import dev.holdfast.query.aggregation.Results;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// The answers of all shards as one: best hits, totals, aggregations.
///
/// @param hits those of the page asked for, best first
/// @param total -1 when not tracked
/// @param maxScore NaN for none
/// @param aggregations reduced
public record SearchMerge(
    List<MergedHit> hits,
    long total,
    boolean isTotalExact,
    float maxScore,
    Results aggregations,
    boolean isTimedOut,
    boolean isTerminatedEarly) {

  /// A hit and the shard it came from.
  ///
  /// @param shard position of its result in the list that was merged
  public record MergedHit(int shard, ShardHit hit) {}

  /// @param results one a shard that answered, in the order of the shards: ties keep it
  public static SearchMerge of(SearchSource source, List<ShardResult> results) {
    List<MergedHit> all = new ArrayList<>();
    long total = 0;
    boolean isExact = true;
    float maxScore = Float.NaN;
    boolean isTimedOut = false;
    boolean isTerminatedEarly = false;
    for (int shard = 0; shard < results.size(); shard++) {
      ShardResult result = results.get(shard);
      for (ShardHit hit : result.hits()) {
        all.add(new MergedHit(shard, hit));
      }
      total += Math.max(0, result.total());
      isExact &= result.isTotalExact();
      maxScore =
          Float.isNaN(maxScore) || result.maxScore() > maxScore ? result.maxScore() : maxScore;
      isTimedOut |= result.isTimedOut();
      isTerminatedEarly |= result.isTerminatedEarly();
    }
    if (results.size() > 1) {
      all.sort(order(source.sorts()));
    }
    int upTo = source.totalHitsUpTo();
    boolean isCut = upTo >= 0 && total > upTo;
    int end = Math.min(all.size(), source.hitsOfShard());
    return new SearchMerge(
        List.copyOf(all.subList(Math.min(source.from(), end), end)),
        upTo < 0 ? -1 : isCut ? upTo : total,
        upTo >= 0 && !isCut && isExact,
        maxScore,
        reduce(source, results),
        isTimedOut,
        isTerminatedEarly);
  }

  private static Results reduce(SearchSource source, List<ShardResult> results) {
    if (source.aggregations().isEmpty()) {
      return Results.NONE;
    }
    Results merged = source.aggregations().empty();
    for (ShardResult result : results) {
      merged = merged.merge(result.aggregations());
    }
    return source.aggregations().reduce(merged, Reduction.BUCKETS_MAX);
  }

  private static Comparator<MergedHit> order(List<SortSpec> sorts) {
    Comparator<MergedHit> order =
        sorts.isEmpty()
            ? (a, b) -> Float.compare(b.hit().score(), a.hit().score())
            : (a, b) -> compare(sorts, a.hit(), b.hit());
    return order.thenComparingInt(MergedHit::shard).thenComparingInt(merged -> merged.hit().doc());
  }

  private static int compare(List<SortSpec> sorts, ShardHit a, ShardHit b) {
    for (int i = 0; i < sorts.size(); i++) {
      int result = compare(sorts.get(i), a.sortValues().get(i), b.sortValues().get(i));
      if (result != 0) {
        return result;
      }
    }
    return 0;
  }

  private static int compare(SortSpec sort, @Nullable Object a, @Nullable Object b) {
    if (a == null || b == null) {
      int missing = sort.isMissingFirst() ? -1 : 1;
      return a == null ? (b == null ? 0 : missing) : -missing;
    }
    int result = compareValues(a, b);
    return sort.isDescending() ? -result : result;
  }

  private static int compareValues(Object a, Object b) {
    if (a instanceof BytesRef left && b instanceof BytesRef right) {
      return left.compareTo(right);
    }
    if (a instanceof Long left && b instanceof Long right) {
      return Long.compare(left, right);
    }
    if (a instanceof Number left && b instanceof Number right) {
      return Double.compare(left.doubleValue(), right.doubleValue());
    }
    // One index has numbers where another has terms: numbers first, so that the order is one.
    return a instanceof Number ? -1 : 1;
  }
}
