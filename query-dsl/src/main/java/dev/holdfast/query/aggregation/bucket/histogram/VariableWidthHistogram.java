package dev.holdfast.query.aggregation.bucket.histogram;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;

/// Buckets of a numeric field around the places where its values crowd.
///
/// @param buckets how many at most
/// @param shardSize clusters that a shard returns
public record VariableWidthHistogram(
    Label label, FieldRequest field, int buckets, int shardSize, AggregationTree children)
    implements Aggregation {
  private static final int BUCKETS_DEFAULT = 10;
  private static final int SHARD_SIZE_FACTOR = 50;
  private static final int BUFFER_FACTOR = 10;
  private static final int BUFFER_MAX = 50_000;

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    FieldRequest field = FieldRequest.parse(body);
    int buckets = body.integer("buckets", BUCKETS_DEFAULT);
    if (buckets <= 0) {
      throw Refusal.badArgument(
          "buckets must be greater than [0] for [" + definition.label().name() + "]");
    }
    int shardSize = body.integer("shard_size", upTo(Integer.MAX_VALUE, SHARD_SIZE_FACTOR, buckets));
    if (shardSize <= 1) {
      throw Refusal.badArgument(
          "shard_size must be greater than [1] for [" + definition.label().name() + "]");
    }
    int buffer = body.integer("initial_buffer", upTo(BUFFER_MAX, BUFFER_FACTOR, shardSize));
    if (buffer <= 0) {
      throw Refusal.badArgument(
          "initial_buffer must be greater than [0] for [" + definition.label().name() + "]");
    }
    if (buffer < buckets) {
      throw Refusal.badArgument(
          "initial_buffer must be at least buckets but was ["
              + buffer
              + "<"
              + buckets
              + "] for ["
              + definition.label().name()
              + "]");
    }
    return new VariableWidthHistogram(
        definition.label(), field, buckets, Math.max(shardSize, buckets), definition.children());
  }

  private static int upTo(int most, long factor, int number) {
    return (int) Math.min(most, factor * number);
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    BoundField bound = field.bindNumeric(context);
    return bound == null
        ? new Unmapped(empty())
        : new ClusterCollecting(this, bound, children.group(context));
  }

  @Override
  public Partial empty() {
    return new ClusterPartial(this, List.of(), DisplayFormat.PLAIN_DOUBLE);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return ClusterPartial.read(in, this);
  }
}
