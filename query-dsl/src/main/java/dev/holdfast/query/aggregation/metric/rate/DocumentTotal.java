package dev.holdfast.query.aggregation.metric.rate;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.BucketFeed;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.SingleBucket;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.ArrayUtil;

/// How many documents there are, those that stand for several so many times.
record DocumentTotal(Label label) implements Aggregation {
  private static final String TYPE = "documents";

  @Override
  public boolean takesChildren() {
    return false;
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    return new Counting(AggregationTree.NONE.group(context));
  }

  @Override
  public Partial empty() {
    return SingleBucket.empty(TYPE, AggregationTree.NONE);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return SingleBucket.read(in, TYPE, AggregationTree.NONE);
  }

  private static final class Counting implements Collecting {
    private final Group group;
    private long[] counts = new long[1];

    Counting(Group group) {
      this.group = group;
    }

    @Override
    public Leaf leaf(LeafReaderContext segment) throws IOException {
      Leaf below = group.leaf(segment);
      return new Leaf() {
        @Override
        public void collect(int[] docs, int from, int to, long bucket) throws IOException {
          add(bucket, to - from);
          if (below != null) {
            below.collect(docs, from, to, bucket);
          }
        }

        @Override
        public void collect(int[] docs, long[] buckets, int count) throws IOException {
          for (int i = 0; i < count; i++) {
            add(buckets[i], 1);
          }
          BucketFeed.feed(below, docs, buckets, count);
        }
      };
    }

    private void add(long bucket, long more) {
      if (bucket >= counts.length) {
        int larger = ArrayUtil.oversize(Math.toIntExact(bucket + 1), Long.BYTES);
        group.memory().grow(counts.length, larger, Long.BYTES);
        counts = ArrayUtil.growExact(counts, larger);
      }
      counts[(int) bucket] += more;
    }

    @Override
    public Partial result(long bucket) throws IOException {
      long count = bucket < counts.length ? counts[(int) bucket] : 0;
      return new SingleBucket(
          TYPE, AggregationTree.NONE, group.count(bucket, count), group.results(bucket));
    }
  }
}
