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
    check(
        definition,
        what,
        "shard_size",
        !body.has("shard_size") || shardSize > 0,
        "[shardSize] must be greater than  0. Found [" + shardSize + "]");
    long minDocCount = body.longValue("min_doc_count", MIN_DOC_COUNT_DEFAULT);
    check(
        definition,
        what,
        "min_doc_count",
        minDocCount >= 0,
        "[minDocCount] must be greater than or equal to 0. Found [" + minDocCount + "]");
    long shardMinDocCount = body.longValue("shard_min_doc_count", 0);
    check(
        definition,
        what,
        "shard_min_doc_count",
        shardMinDocCount >= 0,
        "[shardMinDocCount] must be greater than or equal to 0. Found [" + shardMinDocCount + "]");
    long wanted = shardSize > 0 ? shardSize : 2L * (long) (size * 1.5 + 10);
    return new SignificantRequest(
        size,
        (int) Math.min(Integer.MAX_VALUE, Math.max(size, wanted)),
        minDocCount,
        shardMinDocCount,
        Significance.parse(body),
        SignificantTerms.background(definition),
        definition.children());
  }

  private static void check(
      Definition definition, String what, String member, boolean isFine, String reason) {
    ParsedField.check(
        isFine, "significant_" + what, member, reason + " in [" + definition.label().name() + "]");
  }
}
