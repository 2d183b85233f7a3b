package dev.holdfast.query.aggregation.bucket.terms;

import dev.holdfast.query.aggregation.kernel.Bucket;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.Results;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;

/// Picks the buckets that a shard returns for `terms`. Sub-aggregations are answered only for
/// those, unless the order depends on them.
final class TopBuckets {
  private final Terms request;
  private final Group children;
  private final PriorityQueue<Candidate> kept;
  private final Comparator<Candidate> best;
  private long docs;

  private record Candidate(long ordinal, Bucket bucket) {}

  TopBuckets(Terms request, Group children) {
    this.request = request;
    this.children = children;
    Comparator<Bucket> order = request.order().comparator();
    this.best = (a, b) -> order.compare(a.bucket, b.bucket);
    this.kept = new PriorityQueue<>(best.reversed());
  }

  /// Whether a bucket of that count and key has a chance: asked before a key is made.
  boolean isHopeless(long count) {
    return request.order().isByCountDescending()
        && kept.size() == request.shardSize()
        && count < worst().bucket.count();
  }

  /// Counts documents of a bucket that was not offered.
  void pass(long count) {
    docs += count;
  }

  void offer(long ordinal, Object key, long count) throws IOException {
    docs += count;
    if (count < request.shardMinDocCount() || count < Math.min(1, request.minDocCount())) {
      return;
    }
    boolean isOrderedByChildren = request.order().needsChildren();
    Results results = isOrderedByChildren ? children.results(ordinal) : Results.NONE;
    Candidate candidate = new Candidate(ordinal, new Bucket(key, count, results));
    if (kept.size() < request.shardSize()) {
      kept.add(candidate);
    } else if (best.compare(candidate, worst()) < 0) {
      kept.poll();
      kept.add(candidate);
    }
  }

  private Candidate worst() {
    return Objects.requireNonNull(kept.peek());
  }

  TermsPartial finish(String type, DisplayFormat shown) throws IOException {
    List<Candidate> sorted = new ArrayList<>(kept);
    sorted.sort(best);
    long returned = 0;
    for (Candidate candidate : sorted) {
      returned += candidate.bucket.count();
    }
    boolean isCut = sorted.size() == request.shardSize() && !request.order().isByKey();
    long error =
        !isCut
            ? 0
            : request.order().isByCountDescending()
                ? sorted.getLast().bucket.count()
                : TermsPartial.ERROR_UNKNOWN;
    List<Bucket> buckets = new ArrayList<>(sorted.size());
    for (Candidate candidate : sorted) {
      Results results =
          request.order().needsChildren()
              ? candidate.bucket.children()
              : children.results(candidate.ordinal);
      buckets.add(
          new Bucket(
              candidate.bucket.key(), candidate.bucket.count(), Math.max(0, error), results));
    }
    return new TermsPartial(request, buckets, docs - returned, error, 1, type, shown);
  }
}
