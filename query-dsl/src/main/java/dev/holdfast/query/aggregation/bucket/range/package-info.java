/// Buckets by ranges that the request lists: numbers, dates, addresses, distances. Ranges may
/// overlap: a document is then in several buckets.
@NullMarked
package dev.holdfast.query.aggregation.bucket.range;

import org.jspecify.annotations.NullMarked;
