package dev.holdfast.query.aggregation;

import dev.holdfast.query.Joined;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;

/// `children` and `parent`: the documents on the other side of a `join` field, in one bucket.
///
/// @param kind the children's, on either side
/// @param isToChildren whether parents come and their children are collected
record JoinedDocuments(Label label, String kind, boolean isToChildren, AggregationTree children)
    implements Aggregation {

  static Aggregation children(Definition definition) {
    return parse(definition, true);
  }

  static Aggregation parent(Definition definition) {
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
    return new JoinedDocuments(definition.label(), kind, isToChildren, definition.children());
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    Joined joined = Joined.of(context);
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
  public Partial empty() {
    return SingleBucket.empty(typeName(), children);
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return SingleBucket.read(in, typeName(), children);
  }
}
