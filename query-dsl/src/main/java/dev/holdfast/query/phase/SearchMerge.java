package dev.holdfast.query.phase;

import dev.holdfast.query.aggregation.kernel.Reduction;
import dev.holdfast.query.aggregation.kernel.Results;
import dev.holdfast.query.hits.ShardResult;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.query.result.ShardHit;
import dev.holdfast.query.sort.SortSpec;
import dev.holdfast.query.suggest.SuggestRequest;
import dev.holdfast.query.suggest.Suggester;
import dev.holdfast.world.Reservation;
import dev.holdfast.world.WorkMemory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    boolean isTerminatedEarly,
    Map<String, List<Suggester.Entry>> suggestions) {
  /// A word that is suggested, as it is merged and shown.
  private static final int SUGGESTION_BYTES = 128;

  /// A hit and the shard it came from.
  ///
  /// @param shard position of its result in the list that was merged
  public record MergedHit(int shard, ShardHit hit) {}

  /// @param results one a shard that answered, in the order of the shards: ties keep it
  /// @param bucketsMax `search.max_buckets`
  /// @param memory for the buckets of the answer
  public static SearchMerge of(
      SearchSource source, List<ShardResult> results, int bucketsMax, Reservation memory) {
    long total = 0;
    boolean isExact = true;
    float maxScore = Float.NaN;
    boolean isTimedOut = false;
    boolean isTerminatedEarly = false;
    for (int shard = 0; shard < results.size(); shard++) {
      ShardResult result = results.get(shard);
      total += Math.max(0, result.total());
      isExact &= result.isTotalExact();
      maxScore =
          Float.isNaN(maxScore) || result.maxScore() > maxScore ? result.maxScore() : maxScore;
      isTimedOut |= result.isTimedOut();
      isTerminatedEarly |= result.isTerminatedEarly();
    }
    int mergedMax = KnnPhase.mergedMax(source);
    total = mergedMax < 0 ? total : Math.min(total, mergedMax);
    int upTo = source.totalHitsUpTo();
    boolean isCut = upTo >= 0 && total > upTo;
    return new SearchMerge(
        hits(source, results),
        upTo < 0 ? -1 : isCut ? upTo : total,
        upTo >= 0 && !isCut && isExact,
        maxScore,
        reduce(source, results, bucketsMax, memory),
        isTimedOut,
        isTerminatedEarly,
        suggest(source, results, memory));
  }

  /// The same of a search whose time did not suffice for reading all hits.
  public SearchMerge timedOut() {
    return new SearchMerge(
        hits, total, isTotalExact, maxScore, aggregations, true, isTerminatedEarly, suggestions);
  }

  /// The hits of the page asked for, best first.
  public static List<MergedHit> hits(SearchSource source, List<ShardResult> results) {
    List<MergedHit> all = new ArrayList<>();
    for (int shard = 0; shard < results.size(); shard++) {
      for (ShardHit hit : results.get(shard).hits()) {
        all.add(new MergedHit(shard, hit));
      }
    }
    if (results.size() > 1) {
      all.sort(order(source.sorts()));
    }
    if (source.extras().collapse() != null && results.size() > 1) {
      all = bestOfGroups(all);
    }
    int mergedMax = KnnPhase.mergedMax(source);
    int wanted = source.hitsOfShard();
    int end = Math.min(all.size(), mergedMax < 0 ? wanted : Math.min(wanted, mergedMax));
    return List.copyOf(all.subList(Math.min(source.from(), end), end));
  }

  private static Map<String, List<Suggester.Entry>> suggest(
      SearchSource source, List<ShardResult> results, Reservation memory) {
    SuggestRequest request = source.extras().suggest();
    if (request == null) {
      return Map.of();
    }
    for (ShardResult result : results) {
      for (List<Suggester.Entry> entries : result.suggestions().values()) {
        for (Suggester.Entry entry : entries) {
          memory.add(SUGGESTION_BYTES * (1L + entry.options().size()));
        }
      }
    }
    return request.merge(results.stream().map(ShardResult::suggestions).toList());
  }

  /// The first hit of each group.
  private static List<MergedHit> bestOfGroups(List<MergedHit> sorted) {
    Set<Object> seen = new HashSet<>();
    List<MergedHit> best = new ArrayList<>();
    for (MergedHit hit : sorted) {
      Object group = hit.hit().group();
      if (seen.add(group == null ? "" : group)) {
        best.add(hit);
      }
    }
    return best;
  }

  private static Results reduce(
      SearchSource source, List<ShardResult> results, int bucketsMax, Reservation memory) {
    if (source.aggregations().isEmpty()) {
      return Results.NONE;
    }
    if (source.aggregations().bucketsAlways() > bucketsMax) {
      throw Reduction.tooManyBuckets(bucketsMax); // before they are made
    }
    return WorkMemory.<Results, RuntimeException>during(
        memory,
        () ->
            source.aggregations().reduce(mergedAggregations(source, results), bucketsMax, memory));
  }

  private static Results mergedAggregations(SearchSource source, List<ShardResult> results) {
    Results merged = source.aggregations().empty();
    for (ShardResult result : results) {
      merged = merged.merge(result.aggregations());
    }
    return merged;
  }

  private static Comparator<MergedHit> order(List<SortSpec> sorts) {
    Comparator<MergedHit> order =
        sorts.isEmpty()
            ? (a, b) -> Float.compare(b.hit().score(), a.hit().score())
            : (a, b) -> compare(sorts, a.hit(), b.hit());
    return order.thenComparingInt(MergedHit::shard).thenComparingInt(merged -> merged.hit().doc());
  }

  public static int compare(List<SortSpec> sorts, ShardHit a, ShardHit b) {
    for (int i = 0; i < sorts.size(); i++) {
      int result = compare(sorts.get(i), a.sortValues().get(i), b.sortValues().get(i));
      if (result != 0) {
        return result;
      }
    }
    return 0;
  }

  /// The order of first sort values.
  static int compareFirst(SearchSource source, @Nullable Object a, @Nullable Object b) {
    return compare(source.sorts().getFirst(), a, b);
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
