package dev.holdfast.query.aggregation.metric.rate;

import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PerBucket;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;

/// The measurements of a counter in each bucket of one shard, kept until all have come: segments
/// may lie in any order in time, and resets are seen between neighbours only.
final class CounterCollecting implements Collecting {
  private final Rate request;
  private final BoundField counter;
  private final BoundField time;
  private final PerBucket<CounterSamples> byBucket;

  CounterCollecting(Rate request, BoundField counter, BoundField time, Reservation memory) {
    this.request = request;
    this.counter = counter;
    this.time = time;
    this.byBucket = new PerBucket<>(() -> new CounterSamples(memory), memory);
  }

  @Override
  public Leaf leaf(LeafReaderContext segment) throws IOException {
    SortedNumericDocValues values = DocValues.getSortedNumeric(segment.reader(), counter.field());
    SortedNumericDocValues times = DocValues.getSortedNumeric(segment.reader(), time.field());
    return new Leaf() {
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
        if (values.advanceExact(doc) && times.advanceExact(doc)) {
          byBucket
              .of(bucket)
              .add(
                  CounterTimes.millis(time, times.nextValue()),
                  counter.toDouble(values.nextValue()));
        }
      }
    };
  }

  @Override
  public Partial result(long bucket) {
    CounterSamples samples = byBucket.find(bucket);
    return new RatePartial(
        request,
        request.total().empty(),
        samples == null ? null : samples.growth(),
        counter.shown());
  }
}
