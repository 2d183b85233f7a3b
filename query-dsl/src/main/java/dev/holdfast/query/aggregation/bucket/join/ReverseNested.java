package dev.holdfast.query.aggregation.bucket.join;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.RelatedDocumentsCollecting;
import dev.holdfast.query.aggregation.kernel.SingleBucket;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.BitSet;
import org.jspecify.annotations.Nullable;

/// The documents, or the nested objects of a path, that hold the nested objects collected.
///
/// @param path null for the documents themselves
/// @param isInside whether a `nested` aggregation is around it
public record ReverseNested(
    Label label, @Nullable String path, AggregationTree children, boolean isInside)
    implements Aggregation {
  private static final String TYPE = "reverse_nested";

  public static Aggregation parse(Definition definition) {
    return new ReverseNested(
        definition.label(),
        definition.body().string("path"),
        definition.children(),
        definition.above().contains("nested"));
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    if (!isInside) {
      throw Refusal.badArgument(
          "Reverse nested aggregation ["
              + label.name()
              + "] can only be used inside a [nested] aggregation");
    }
    if (path != null && !context.mapping().isNested(path)) {
      throw new Refusal(
          ErrorType.AGGREGATION_EXECUTION,
          "[reverse_nested] nested path [" + path + "] is not nested");
    }
    NestedLevels levels = new NestedLevels(path, context);
    return new RelatedDocumentsCollecting(
        segment -> open(segment, levels),
        children.group(context.within(path)),
        (count, results) -> new SingleBucket(TYPE, children, count, results));
  }

  private static RelatedDocumentsCollecting.@Nullable Move open(
      LeafReaderContext segment, NestedLevels levels) throws IOException {
    BitSet holders = levels.open(segment).getLast();
    if (holders == null) {
      return null;
    }
    return (doc, into) -> into.add(holders.nextSetBit(doc));
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
