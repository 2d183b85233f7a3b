package dev.holdfast.query.aggregation.bucket.series;

import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.ParsedField;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.KeyCollecting;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.JsonObject;
import java.io.IOException;
import java.util.List;

/// `time_series`: a bucket for each series of indices of time series, in the order of their
/// dimensions.
///
/// @param size how many series the answer has at most
public record SeriesBuckets(Label label, boolean isKeyed, int size, AggregationTree children)
    implements Aggregation {
  static final String KIND = "time_series";

  private static final int SIZE_DEFAULT = 10_000;

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    int size = body.integer("size", SIZE_DEFAULT);
    ParsedField.check(
        size > 0,
        body.context(),
        "size",
        "[size] must be greater than 0. Found ["
            + size
            + "] in ["
            + definition.label().name()
            + "]");
    return new SeriesBuckets(
        definition.label(), body.bool("keyed", false), size, definition.children());
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    FieldRequest request = new FieldRequest(KIND, MetadataFields.SERIES, null, null, null);
    BoundField bound = request.bind(context, ValuesKind.KEYWORD);
    if (bound == null) {
      return new Unmapped(empty());
    }
    SeriesKeys keys = new SeriesKeys(bound, name(), context);
    return new KeyCollecting(
        keys::open,
        children.group(context),
        (found, _, below) -> SeriesPartial.first(this, keys, found, below));
  }

  @Override
  public Partial empty() {
    return new SeriesPartial(this, List.of());
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return SeriesPartial.read(in, this);
  }
}
