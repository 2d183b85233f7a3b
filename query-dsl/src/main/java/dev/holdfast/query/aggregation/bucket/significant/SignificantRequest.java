package dev.holdfast.query.aggregation.bucket.significant;

import dev.holdfast.query.QueryClause;
import dev.holdfast.query.aggregation.column.ParsedField;
import dev.holdfast.query.aggregation.kernel.AggregationTree;
import dev.holdfast.query.aggregation.kernel.Definition;
import dev.holdfast.world.JsonObject;
import org.jspecify.annotations.Nullable;

/// What `significant_terms` and `significant_text` have in common.
///
/// @param background what the documents found are compared with; null for the whole index
record SignificantRequest(
    int size,
    int shardSize,
    long minDocCount,
    long shardMinDocCount,
    Significance significance,
    @Nullable QueryClause background,
    AggregationTree children) {
  private static final int SIZE_DEFAULT = 10;
  private static final int MIN_DOC_COUNT_DEFAULT = 3;

  /// @param what the kind is named `significant_<what>`
  static SignificantRequest parse(Definition definition, String what) {
    JsonObject body = definition.body();
    int size = body.integer("size", SIZE_DEFAULT);
    ParsedField.check(
        size > 0,
        "significant_" + what,
        "size",
        "[size] must be greater than 0. Found ["
            + size
            + "] in ["
            + definition.label().name()
            + "]");
    int shardSize = body.integer("shard_size", -1);
    long wanted = shardSize > 0 ? shardSize : 2L * (long) (size * 1.5 + 10);
    return new SignificantRequest(
        size,
        (int) Math.min(Integer.MAX_VALUE, Math.max(size, wanted)),
        body.longValue("min_doc_count", MIN_DOC_COUNT_DEFAULT),
        body.longValue("shard_min_doc_count", 0),
        Significance.parse(body),
        SignificantTerms.background(definition),
        definition.children());
  }
}
