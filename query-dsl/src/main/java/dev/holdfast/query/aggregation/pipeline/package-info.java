/// Aggregations over results of others: over sibling buckets, and those that change the buckets
/// they stand in. Run once, on the coordinating node, after all shards are merged.
@NullMarked
package dev.holdfast.query.aggregation.pipeline;

import org.jspecify.annotations.NullMarked;
