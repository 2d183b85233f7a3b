package dev.holdfast.query.aggregation;

import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.JsonObject;
import java.io.IOException;

/// The documents that also match a query, in one bucket.
record Filter(Label label, QueryClause query, AggregationTree children) implements Aggregation {
  private static final String TYPE = "filter";

  static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    body.rest().forEach(body::take);
    return new Filter(
        definition.label(), definition.queries().apply(body.node()), definition.children());
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    Selection selection = new Selection(query.toLucene(context), context);
    return new SelectionCollecting(
        segment -> new SelectedDocuments[] {selection.documents(segment)},
        1,
        false,
        children.group(context),
        (counts, results) -> new SingleBucket(TYPE, children, counts[0], results[0]));
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
