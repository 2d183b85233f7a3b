/// Buckets by queries, and those that choose documents without values: `filter`, `filters`,
/// `adjacency_matrix`, `global`, `missing`.
@NullMarked
package dev.holdfast.query.aggregation.bucket.filter;

import org.jspecify.annotations.NullMarked;
