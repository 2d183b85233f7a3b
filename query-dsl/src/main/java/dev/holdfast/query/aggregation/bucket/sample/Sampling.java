package dev.holdfast.query.aggregation.bucket.sample;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.TermNumbers;
import dev.holdfast.query.aggregation.kernel.BucketFeed;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.KeySet;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.Results;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Scorable;
import org.jspecify.annotations.Nullable;

/// The best documents of each parent bucket, kept until all were seen, then fed to the
/// sub-aggregations in the order of the index.
final class Sampling implements Collecting {
  /// Worse candidates are dropped when there are so many times as many as wanted.
  private static final int SLACK = 4;

  private static final int PRUNED_MIN = 64;

  /// A candidate, its places in the lists that it is sorted in and handed on by.
  private static final int CANDIDATE_BYTES = 128;

  private static final long NO_VALUE = -1;
  private static final Comparator<Candidate> BEST_FIRST =
      Comparator.comparingDouble(Candidate::score)
          .reversed()
          .thenComparingInt(Candidate::segment)
          .thenComparingInt(Candidate::doc);

  private final QueryContext context;
  private final Group children;
  private final int size;
  private final @Nullable TermNumbers values;
  private final int perValue;
  private final Finish finish;
  private final Map<Long, Kept> byBucket = new HashMap<>();
  private boolean isFed;

  /// @param value [#NO_VALUE] for none
  private record Candidate(int segment, int doc, float score, long value) {}

  /// What a bucket may take.
  private static final class Kept {
    List<Candidate> candidates = new ArrayList<>();

    /// How many candidates memory was asked for.
    int asked;

    /// Later documents must score better than this; only where no value may come again.
    float floor = Float.NEGATIVE_INFINITY;
  }

  /// Makes the partial result of a bucket.
  @FunctionalInterface
  interface Finish {
    Partial of(long count, Results children);
  }

  Sampling(
      QueryContext context,
      Group children,
      int size,
      @Nullable TermNumbers values,
      int perValue,
      Finish finish) {
    this.context = context;
    this.children = children;
    this.size = size;
    this.values = values;
    this.perValue = perValue;
    this.finish = finish;
  }

  @Override
  public boolean needsScores() {
    return true;
  }

  @Override
  public Leaf leaf(LeafReaderContext segment) throws IOException {
    return new Documents(segment, values == null ? null : values.open(segment));
  }

  @Override
  public Partial result(long bucket) throws IOException {
    if (!isFed) {
      isFed = true;
      byBucket.values().forEach(this::prune);
      feed();
    }
    Kept kept = byBucket.get(bucket);
    long count = kept == null ? 0 : kept.candidates.size();
    return finish.of(children.count(bucket, count), children.results(bucket));
  }

  private void prune(Kept kept) {
    kept.candidates = best(kept.candidates);
    if (values == null && kept.candidates.size() == size) {
      kept.floor = size == 0 ? Float.POSITIVE_INFINITY : kept.candidates.getLast().score;
    }
  }

  private List<Candidate> best(List<Candidate> candidates) {
    List<Candidate> sorted = new ArrayList<>(candidates);
    sorted.sort(BEST_FIRST);
    List<Candidate> best = new ArrayList<>(Math.min(size, candidates.size()));
    Map<Long, Integer> taken = new HashMap<>();
    for (Candidate candidate : sorted) {
      boolean isRepeated =
          candidate.value != NO_VALUE && taken.merge(candidate.value, 1, Integer::sum) > perValue;
      if (!isRepeated && best.size() < size) {
        best.add(candidate);
      }
    }
    return best;
  }

  private void feed() throws IOException {
    List<Map.Entry<Long, Candidate>> all = new ArrayList<>();
    byBucket.forEach(
        (bucket, kept) -> kept.candidates.forEach(one -> all.add(Map.entry(bucket, one))));
    all.sort(
        Comparator.comparingInt((Map.Entry<Long, Candidate> each) -> each.getValue().segment)
            .thenComparingInt(each -> each.getValue().doc));
    List<LeafReaderContext> segments = context.searcher().getIndexReader().leaves();
    int from = 0;
    while (from < all.size()) {
      int segment = all.get(from).getValue().segment;
      int to = from;
      while (to < all.size() && all.get(to).getValue().segment == segment) {
        to++;
      }
      int[] docs = new int[to - from];
      long[] buckets = new long[to - from];
      for (int i = from; i < to; i++) {
        docs[i - from] = all.get(i).getValue().doc;
        buckets[i - from] = all.get(i).getKey();
      }
      BucketFeed.feed(children.leaf(segments.get(segment)), docs, buckets, docs.length);
      from = to;
    }
  }

  private final class Documents implements Leaf {
    private final LeafReaderContext segment;
    private final KeyCollecting.@Nullable Keys keys;
    private final KeySet read = new KeySet();
    private @Nullable Scorable scorer;
    private long lastBucket;
    private @Nullable Kept last;

    Documents(LeafReaderContext segment, KeyCollecting.@Nullable Keys keys) {
      this.segment = segment;
      this.keys = keys;
    }

    @Override
    public void setScorer(Scorable now) {
      scorer = now;
    }

    @Override
    public void collect(int[] docs, int from, int to, long bucket) throws IOException {
      for (int i = from; i < to; i++) {
        add(docs[i], bucket);
      }
    }

    @Override
    public void collect(int[] docs, long[] buckets, int count) throws IOException {
      for (int i = 0; i < count; i++) {
        add(docs[i], buckets[i]);
      }
    }

    private void add(int doc, long bucket) throws IOException {
      Kept kept = kept(bucket);
      float score = scorer == null ? 0 : scorer.score();
      if (score <= kept.floor) {
        return;
      }
      long value = NO_VALUE;
      if (keys != null) {
        read.clear();
        keys.read(doc, read);
        value = read.size() == 0 ? NO_VALUE : read.get(0);
      }
      if (kept.candidates.size() == kept.asked) {
        context.memory().add(CANDIDATE_BYTES);
        kept.asked++;
      }
      kept.candidates.add(new Candidate(segment.ord, doc, score, value));
      if (kept.candidates.size() >= (long) SLACK * Math.max(size, PRUNED_MIN)) {
        prune(kept);
      }
    }

    private Kept kept(long bucket) {
      Kept kept = last;
      if (kept == null || bucket != lastBucket) {
        kept = byBucket.computeIfAbsent(bucket, _ -> new Kept());
        last = kept;
        lastBucket = bucket;
      }
      return kept;
    }
  }
}
