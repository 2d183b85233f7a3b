package dev.holdfast.query.aggregation.kernel;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.compoundcommit.call.WireOutput;
import dev.holdfast.world.Refusal;
import java.io.IOException;

/// The result of an aggregation with one bucket: how many documents, and what is below.
public record SingleBucket(String typeName, AggregationTree tree, long count, Results children)
    implements Partial {

  public static SingleBucket empty(String typeName, AggregationTree tree) {
    return new SingleBucket(typeName, tree, 0, tree.empty());
  }

  public static SingleBucket read(PartialInput in, String typeName, AggregationTree tree)
      throws IOException {
    return new SingleBucket(typeName, tree, in.data().readVLong(), tree.read(in));
  }

  @Override
  public Partial emptied(Partial empty) {
    return new SingleBucket(typeName, tree, 0, children.emptied(tree.empty()));
  }

  @Override
  public Partial merge(Partial other) {
    SingleBucket right = (SingleBucket) other;
    return new SingleBucket(typeName, tree, count + right.count, children.merge(right.children));
  }

  @Override
  public Partial reduce(Reduction reduction) {
    return new SingleBucket(typeName, tree, count, tree.reduce(children, reduction));
  }

  @Override
  public void render(JsonGenerator out, boolean isTyped) throws IOException {
    out.writeNumberField("doc_count", count);
    children.render(out, isTyped);
  }

  @Override
  public double metric(String property) {
    if (property.isEmpty() || property.equals("_count") || property.equals("doc_count")) {
      return count;
    }
    throw Refusal.badArgument("Invalid path: [" + typeName + "] has no number [" + property + "]");
  }

  @Override
  public void write(WireOutput out) throws IOException {
    out.writeVLong(count);
    children.write(out);
  }
}
