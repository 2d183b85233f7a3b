package dev.holdfast.query.aggregation.bucket.join;

import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.bucket.filter.Selection;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.SingleBucket;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.query.clause.join.JoinField;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;

/// `children` and `parent`: the documents on the other side of a `join` field, in one bucket.
///
/// @param kind the children's, on either side
/// @param isToChildren whether parents come and their children are collected
public record JoinAggregation(
    Label label, String kind, boolean isToChildren, AggregationTree children)
    implements Aggregation {

  public static Aggregation children(Definition definition) {
    return parse(definition, true);
  }

  public static Aggregation parent(Definition definition) {
    return parse(definition, false);
  }

  private static Aggregation parse(Definition definition, boolean isToChildren) {
    JsonObject body = definition.body();
    String kind = body.string("type");
    if (kind == null) {
      throw Refusal.badArgument(
          "Missing [child_type] field for "
              + body.context()
              + " aggregation ["
              + definition.label().name()
              + "]");
    }
    return new JoinAggregation(definition.label(), kind, isToChildren, definition.children());
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    JoinField joined = JoinField.of(context);
    String parent = joined == null ? null : joined.relations().parentOf(kind);
    if (joined == null || parent == null) {
      return new Unmapped(empty());
    }
    Selection parents = new Selection(joined.kind(parent), context);
    Selection offspring = new Selection(joined.kind(kind), context);
    return new JoinCollecting(
        context,
        joined.ids(parent),
        isToChildren ? parents : offspring,
        isToChildren ? offspring : parents,
        children.group(context),
        (count, results) -> new SingleBucket(typeName(), children, count, results));
  }

  private String typeName() {
    return isToChildren ? "children" : "parent";
  }

  @Override
  public long bucketsAlways() {
    return children.bucketsAlways();
  }

  @Override
  public Partial empty() {
    return SingleBucket.empty(typeName(), children);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return SingleBucket.read(in, typeName(), children);
  }
}
