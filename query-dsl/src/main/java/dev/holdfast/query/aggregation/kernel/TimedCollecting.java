package dev.holdfast.query.aggregation.kernel;

import dev.holdfast.query.AggregationTimes;
import dev.holdfast.query.AggregationTimes.Stage;
import dev.holdfast.query.QueryContext;
import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Scorable;
import org.jspecify.annotations.Nullable;

/// An aggregation at work with a stop watch beside it.
final class TimedCollecting implements Collecting {
  private final Collecting inner;
  private final AggregationTimes times;
  private long lastNanos;
  private boolean isOver;

  private TimedCollecting(Collecting inner, AggregationTimes times) {
    this.inner = inner;
    this.times = times;
    this.lastNanos = times.now();
  }

  /// Binds an aggregation, measured.
  static Collecting bind(Aggregation aggregation, QueryContext context, AggregationTimes parent)
      throws IOException {
    AggregationTimes times = parent.child(aggregation.name());
    long start = times.now();
    Collecting bound = aggregation.bind(context.timed(times));
    times.bound(type(aggregation, bound), bound::describe);
    times.add(Stage.INITIALIZE, start, 1);
    return new TimedCollecting(bound, times);
  }

  /// As Elasticsearch's classes are called where clients look for them.
  private static String type(Aggregation aggregation, Collecting bound) {
    return switch (aggregation.empty().typeName()) {
      case "histogram" -> "NumericHistogramAggregator";
      case "auto_date_histogram" -> "AutoDateHistogramAggregator.FromSingle";
      case "umterms" ->
          Objects.requireNonNullElse(bound.profiledAs(), "GlobalOrdinalsStringTermsAggregator");
      case String name -> camelCase(name) + "Aggregator";
    };
  }

  private static String camelCase(String name) {
    StringBuilder camel = new StringBuilder();
    for (String word : name.split("_", -1)) {
      camel.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
    }
    return camel.toString();
  }

  @Override
  public boolean needsScores() {
    return inner.needsScores();
  }

  @Override
  public @Nullable Leaf leaf(LeafReaderContext segment) throws IOException {
    long start = times.now();
    Leaf leaf = inner.leaf(segment);
    times.add(Stage.BUILD_LEAF_COLLECTOR, start, 1);
    lastNanos = times.now();
    return leaf == null ? null : new Timed(leaf);
  }

  @Override
  public Partial result(long bucket) throws IOException {
    if (!isOver) {
      isOver = true;
      times.add(Stage.POST_COLLECTION, lastNanos, 1);
    }
    long start = times.now();
    Partial result = inner.result(bucket);
    times.add(Stage.BUILD_AGGREGATION, start, 1);
    return result;
  }

  private final class Timed implements Leaf {
    private final Leaf leaf;

    Timed(Leaf leaf) {
      this.leaf = leaf;
    }

    private void collected(long start, int documents) {
      times.add(Stage.COLLECT, start, documents);
      lastNanos = times.now();
    }

    @Override
    public void collect(int[] docs, int from, int to, long bucket) throws IOException {
      long start = times.now();
      leaf.collect(docs, from, to, bucket);
      collected(start, to - from);
    }

    @Override
    public void collect(int[] docs, long[] buckets, int count) throws IOException {
      long start = times.now();
      leaf.collect(docs, buckets, count);
      collected(start, count);
    }

    @Override
    public void setScorer(Scorable scorer) throws IOException {
      leaf.setScorer(scorer);
    }
  }
}
