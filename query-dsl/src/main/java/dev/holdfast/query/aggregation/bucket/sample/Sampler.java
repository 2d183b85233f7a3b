package dev.holdfast.query.aggregation.bucket.sample;

import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.TermFilter;
import dev.holdfast.query.aggregation.column.TermNumbers;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.SingleBucket;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The best documents of each shard, in one bucket; `diversified_sampler` takes few of each value
/// of a field.
///
/// @param shardSize how many documents of a shard
/// @param field whose values are not to be repeated; null for `sampler`
/// @param perValue documents of one value at most
public record Sampler(
    Label label,
    int shardSize,
    @Nullable FieldRequest field,
    int perValue,
    AggregationTree children)
    implements Aggregation {
  private static final int SHARD_SIZE_DEFAULT = 100;
  private static final String TYPE = "sampler";

  /// The first is ours: it says nothing of what is found.
  private static final List<String> EXECUTION_HINTS =
      List.of("map", "global_ordinals", "bytes_hash");

  public static Aggregation parse(Definition definition) {
    return new Sampler(
        definition.label(),
        shardSize(definition.body()),
        null,
        Integer.MAX_VALUE,
        definition.children());
  }

  public static Aggregation diversified(Definition definition) {
    JsonObject body = definition.body();
    int perValue = body.integer("max_docs_per_value", 1);
    if (perValue < 0) {
      throw Refusal.badArgument(
          "[maxDocsPerValue] must be greater than or equal to 0. Found ["
              + perValue
              + "] in ["
              + definition.label().name()
              + "]");
    }
    var _ = body.choice("execution_hint", EXECUTION_HINTS);
    return new Sampler(
        definition.label(),
        shardSize(body),
        FieldRequest.parse(body),
        perValue,
        definition.children());
  }

  private static int shardSize(JsonObject body) {
    int shardSize = body.unquoted("shard_size").integer("shard_size", SHARD_SIZE_DEFAULT);
    if (shardSize < 0) {
      throw Refusal.badArgument(
          "[shardSize] must be greater than or equal to 0. Found [" + shardSize + "]");
    }
    return shardSize;
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    BoundField bound = field == null ? null : field.bind(context, ValuesKind.KEYWORD);
    if (field != null && bound == null) {
      return new Unmapped(empty());
    }
    if (children.isEmpty()) {
      throw Refusal.badArgument("Sampler aggregation must be used with child aggregations.");
    }
    TermNumbers values =
        bound == null ? null : new TermNumbers(bound, TermFilter.ALL, name(), context);
    return new Sampling(
        context,
        children.group(context),
        shardSize,
        values,
        perValue,
        (count, results) -> new SingleBucket(TYPE, children, count, results));
  }

  @Override
  public long bucketsAlways() {
    return children.bucketsAlways();
  }

  @Override
  public Partial empty() {
    return SingleBucket.empty(TYPE, children);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return SingleBucket.read(in, TYPE, children);
  }
}
