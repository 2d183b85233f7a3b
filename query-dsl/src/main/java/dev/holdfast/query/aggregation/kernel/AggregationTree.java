package dev.holdfast.query.aggregation.kernel;

import dev.holdfast.query.AggregationTimes;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.Reservation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.search.ScoreMode;

/// The aggregations of one request, or of one bucket kind, side by side; their own sub-aggregations
/// are inside them.
///
/// @param aggregations what collects documents, in the order of the request
/// @param pipelines what is computed from results
public record AggregationTree(List<Aggregation> aggregations, List<PipelineAggregation> pipelines) {
  /// What one takes at work beside what its field and its buckets do: its objects, arrays of the
  /// first few buckets.
  private static final long COLLECTING_BYTES = 4 << 10;

  /// What a kind with buckets takes to hand a block of documents on.
  private static final long FEEDING_BYTES = Collecting.BLOCK * (long) (Integer.BYTES + Long.BYTES);

  /// What no node has memory for.
  private static final long MANY = 1L << 31;

  public static final AggregationTree NONE = new AggregationTree(List.of(), List.of());

  public AggregationTree {
    aggregations = List.copyOf(aggregations);
    pipelines = List.copyOf(pipelines);
  }

  public boolean isEmpty() {
    return aggregations.isEmpty() && pipelines.isEmpty();
  }

  /// Collects the documents of one shard; one thread collects, or one binding a thread whose
  /// results are merged.
  public AggregationCollector bind(QueryContext context) throws IOException {
    context.memory().add(bucketsAlways() * Reduction.BUCKET_BYTES);
    Group group = new Group(this, collecting(context), context.memory(), null);
    return new AggregationCollector(
        group,
        context.isCancelled(),
        group.needsScores() ? ScoreMode.COMPLETE : ScoreMode.COMPLETE_NO_SCORES);
  }

  /// Collects the documents of the buckets of a kind.
  public Group group(QueryContext context) throws IOException {
    context.memory().add(FEEDING_BYTES);
    Group.DocumentCounts counts =
        Group.DocumentCounts.of(context.searcher().getIndexReader(), context.memory());
    return new Group(this, collecting(context), context.memory(), counts);
  }

  private List<Collecting> collecting(QueryContext context) throws IOException {
    context.memory().add(aggregations.size() * COLLECTING_BYTES);
    List<Collecting> collecting = new ArrayList<>(aggregations.size());
    for (Aggregation aggregation : aggregations) {
      AggregationTimes times = context.times();
      collecting.add(
          times == null
              ? aggregation.bind(context)
              : TimedCollecting.bind(aggregation, context, times));
    }
    return collecting;
  }

  /// Buckets that are in each answer, whatever documents there are; [#MANY] at most.
  public long bucketsAlways() {
    long sum = 0;
    for (Aggregation aggregation : aggregations) {
      sum += aggregation.bucketsAlways();
    }
    return Math.min(MANY, sum);
  }

  /// The same where these stand below each of so many buckets, with those.
  public long bucketsAlways(int buckets) {
    return Math.min(MANY, buckets * (1 + bucketsAlways()));
  }

  /// The answer of no document at all.
  public Results empty() {
    return results(Aggregation::empty);
  }

  /// Reads what [Results#write] wrote, for this request.
  public Results read(PartialInput in) throws IOException {
    List<Results.Entry> entries = new ArrayList<>(aggregations.size());
    for (Aggregation aggregation : aggregations) {
      int outer = in.data().begin();
      entries.add(new Results.Entry(aggregation.label(), aggregation.read(in)));
      in.data().end(outer);
    }
    return new Results(entries);
  }

  /// The final step after all shards are merged, before rendering; once a request.
  ///
  /// @param bucketsMax `search.max_buckets`
  /// @param memory for the buckets of the answer
  /// @throws dev.holdfast.world.Refusal `too_many_buckets_exception`, `circuit_breaking_exception`
  public Results reduce(Results merged, int bucketsMax, Reservation memory) {
    return reduce(merged, new Reduction(bucketsMax, memory));
  }

  public Results reduce(Results merged, Reduction reduction) {
    List<Results.Entry> entries = new ArrayList<>(merged.entries().size());
    for (Results.Entry entry : merged.entries()) {
      entries.add(new Results.Entry(entry.label(), entry.partial().reduce(reduction)));
    }
    Results reduced = new Results(entries);
    for (PipelineAggregation pipeline : pipelines) {
      if (pipeline instanceof PipelineAggregation.Sibling sibling) {
        reduced = reduced.with(sibling.label(), sibling.compute(reduced));
      }
    }
    return reduced;
  }

  /// Applies the pipelines that change the buckets they stand in.
  public List<Bucket> reshape(List<Bucket> buckets) {
    List<Bucket> reshaped = buckets;
    for (PipelineAggregation pipeline : pipelines) {
      if (pipeline instanceof PipelineAggregation.Parent parent) {
        reshaped = parent.compute(reshaped);
      }
    }
    return reshaped;
  }

  private Results results(Function<Aggregation, Partial> each) {
    List<Results.Entry> entries = new ArrayList<>(aggregations.size());
    for (Aggregation aggregation : aggregations) {
      entries.add(new Results.Entry(aggregation.label(), each.apply(aggregation)));
    }
    return new Results(entries);
  }
}
