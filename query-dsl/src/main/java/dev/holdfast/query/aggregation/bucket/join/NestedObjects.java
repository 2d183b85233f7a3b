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
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.BitSet;
import org.jspecify.annotations.Nullable;

/// `nested`: the nested objects of the documents, in one bucket.
public record NestedObjects(Label label, String path, AggregationTree children)
    implements Aggregation {
  private static final String TYPE = "nested";

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    String path = body.string("path");
    if (path == null) {
      throw Refusal.badArgument(
          "Missing [path] field for nested aggregation [" + definition.label().name() + "]");
    }
    return new NestedObjects(definition.label(), path, definition.children());
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    if (context.mapping().field(path) == null && !context.mapping().isNested(path)) {
      return new Unmapped(empty());
    }
    if (!context.mapping().isNested(path)) {
      throw new Refusal(
          ErrorType.AGGREGATION_EXECUTION, "[nested] nested path [" + path + "] is not nested");
    }
    NestedLevels levels = new NestedLevels(path, context);
    return new RelatedDocumentsCollecting(
        segment -> open(segment, levels),
        children.group(context.within(path)),
        (count, results) -> new SingleBucket(TYPE, children, count, results));
  }

  private static RelatedDocumentsCollecting.@Nullable Move open(
      LeafReaderContext segment, NestedLevels levels) throws IOException {
    List<@Nullable BitSet> open = levels.open(segment);
    BitSet objects = open.getLast();
    if (objects == null) {
      return null;
    }
    return (doc, into) -> {
      for (int i = open.size() - 2; i >= 0; i--) {
        BitSet parents = open.get(i);
        if (parents != null && parents.get(doc)) {
          int before = doc == 0 ? -1 : parents.prevSetBit(doc - 1);
          for (int object = objects.nextSetBit(before + 1);
              object < doc;
              object = objects.nextSetBit(object + 1)) {
            into.add(object);
          }
          return;
        }
      }
    };
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
