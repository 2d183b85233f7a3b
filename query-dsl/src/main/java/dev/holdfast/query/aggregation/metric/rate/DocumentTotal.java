package dev.holdfast.query.aggregation.metric.rate;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.BucketCounts;
import dev.holdfast.query.aggregation.kernel.BucketFeed;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Group;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.SingleBucket;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;

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
    private final BucketCounts counts;

    Counting(Group group) {
      this.group = group;
      this.counts = new BucketCounts(group.memory());
    }

    @Override
    public Leaf leaf(LeafReaderContext segment) throws IOException {
      Leaf below = group.leaf(segment);
      return new Leaf() {
        @Override
        public void collect(int[] docs, int from, int to, long bucket) throws IOException {
          counts.add(bucket, to - from);
          if (below != null) {
            below.collect(docs, from, to, bucket);
          }
        }

        @Override
        public void collect(int[] docs, long[] buckets, int count) throws IOException {
          for (int i = 0; i < count; i++) {
            counts.add(buckets[i], 1);
          }
          BucketFeed.feed(below, docs, buckets, count);
        }
      };
    }

    @Override
    public Partial result(long bucket) throws IOException {
      long count = group.count(bucket, counts.of(bucket));
      return new SingleBucket(TYPE, AggregationTree.NONE, count, group.results(bucket));
    }
  }
}
