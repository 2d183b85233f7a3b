package dev.holdfast.query.aggregation.bucket.terms;

import dev.holdfast.document.MetadataFields;
import dev.holdfast.document.ValuesKind;
import dev.holdfast.query.QueryContext;
import dev.holdfast.query.aggregation.column.BoundField;
import dev.holdfast.query.aggregation.column.FieldRequest;
import dev.holdfast.query.aggregation.column.ParsedField;
import dev.holdfast.query.aggregation.column.TermFilter;
import dev.holdfast.query.aggregation.kernel.Aggregation;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.BucketOrder;
import dev.holdfast.query.aggregation.kernel.Collecting;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.query.aggregation.kernel.DisplayFormat;
import dev.holdfast.query.aggregation.kernel.Label;
import dev.holdfast.query.aggregation.kernel.Partial;
import dev.holdfast.query.aggregation.kernel.PartialInput;
import dev.holdfast.query.aggregation.kernel.PlainFormat;
import dev.holdfast.query.aggregation.kernel.Unmapped;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The values of a field, each a bucket, the most frequent first.
///
/// @param shardSize how many buckets a shard returns
/// @param shardMinDocCount documents a bucket needs on a shard to be returned
/// @param showsError whether each bucket says how far its count may be off
/// @param executionHint read where the field has terms: there is one way to count them; null for
///   none
public record Terms(
    Label label,
    FieldRequest field,
    int size,
    int shardSize,
    long minDocCount,
    long shardMinDocCount,
    BucketOrder order,
    boolean showsError,
    @Nullable String executionHint,
    TermFilter filter,
    AggregationTree children)
    implements Aggregation {
  private static final Set<String> COLLECT_MODES = Set.of("depth_first", "breadth_first");
  private static final Set<String> EXECUTION_HINTS = Set.of("map", "global_ordinals");
  private static final int SIZE_DEFAULT = 10;
  private static final double SHARD_SIZE_FACTOR = 1.5;
  private static final int SHARD_SIZE_EXTRA = 10;

  public static Aggregation parse(Definition definition) {
    JsonObject body = definition.body();
    FieldRequest field = FieldRequest.parse(body);
    BucketOrder order = BucketOrder.parse(body.take("order"), BucketOrder.COUNT_DESCENDING);
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
    int shardSize = ParsedField.shardSize(body, definition.label().name());
    long minDocCount = body.longValue("min_doc_count", 1);
    ParsedField.check(
        minDocCount >= 0,
        body.context(),
        "min_doc_count",
        "[minDocCount] must be greater than or equal to 0. Found ["
            + minDocCount
            + "] in ["
            + definition.label().name()
            + "]");
    long shardMinDocCount = body.longValue("shard_min_doc_count", 0);
    ParsedField.check(
        shardMinDocCount >= 0,
        body.context(),
        "shard_min_doc_count",
        "[shardMinDocCount] must be greater than or equal to 0. Found ["
            + shardMinDocCount
            + "] in ["
            + definition.label().name()
            + "]");
    ParsedField.check(
        COLLECT_MODES.contains(body.string("collect_mode", "depth_first")),
        body.context(),
        "collect_mode",
        "no [collect_mode] found for value [" + body.string("collect_mode") + "]");
    String hint = body.string("execution_hint");
    for (BucketOrder.Criterion criterion : order.criteria()) {
      refuseUnknown(criterion.path(), definition);
    }
    return new Terms(
        definition.label(),
        field,
        size,
        Math.max(size, shardSize > 0 ? shardSize : suggested(size, order)),
        minDocCount,
        shardMinDocCount,
        order,
        body.bool("show_term_doc_count_error", false),
        hint,
        TermFilter.parse(body.take("include"), body.take("exclude")),
        definition.children());
  }

  private static int suggested(int size, BucketOrder order) {
    return order.isByKey()
        ? size
        : (int) Math.min(Integer.MAX_VALUE, (long) (size * SHARD_SIZE_FACTOR + SHARD_SIZE_EXTRA));
  }

  private static void refuseUnknown(String path, Definition definition) {
    if (path.equals("_key") || path.equals("_count")) {
      return;
    }
    String first = path.split("[>.\\[]", 2)[0];
    boolean isKnown =
        definition.children().aggregations().stream()
            .anyMatch(child -> path.startsWith(child.name()));
    if (!isKnown) {
      throw Refusal.badArgument(
          "Invalid aggregation order path ["
              + path
              + "]. Cannot find aggregation named ["
              + first
              + "]");
    }
  }

  @Override
  public Collecting bind(QueryContext context) throws IOException {
    if (field.field().equals(MetadataFields.INDEX)) {
      return new IndexTerms(this, context.index(), children.group(context));
    }
    BoundField bound = field.bind(context, ValuesKind.KEYWORD);
    if (bound == null) {
      return new Unmapped(empty());
    }
    if (bound.kind() == ValuesKind.RANGE) {
      throw field.unsupported(bound);
    }
    if (bound.kind().hasOrdinals()) {
      if (executionHint != null && !EXECUTION_HINTS.contains(executionHint)) {
        throw Refusal.badArgument(
            "Unknown `execution_hint`: ["
                + executionHint
                + "], expected any of [map, global_ordinals]");
      }
      return new KeywordTerms(this, bound, context, children.group(context));
    }
    if (bound.kind() == ValuesKind.BINARY) {
      return BinaryTerms.of(this, bound, context, children.group(context));
    }
    if (!bound.kind().isNumeric()) {
      throw field.unsupported(bound);
    }
    return new NumericTerms(this, bound, context, children.group(context));
  }

  @Override
  public Partial empty() {
    return new TermsPartial(
        this, List.of(), 0, 0, 0, TermsPartial.STRINGS, DisplayFormat.plain(PlainFormat.TERM));
  }

  @Override
  public Partial read(PartialInput in) throws IOException {
    return TermsPartial.read(in, this);
  }
}
