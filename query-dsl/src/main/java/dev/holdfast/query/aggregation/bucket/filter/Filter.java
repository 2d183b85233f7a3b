package dev.holdfast.query.aggregation.bucket.filter;

import dev.holdfast.query.QueryClause;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.SingleBucket;
import dev.holdfast.world.JsonObject;
import java.io.IOException;

/// The documents that also match a query, in one bucket.
public record Filter(Label label, QueryClause query, AggregationTree children)
    implements Aggregation {
  private static final String TYPE = "filter";

  public static Aggregation parse(Definition definition) {
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
