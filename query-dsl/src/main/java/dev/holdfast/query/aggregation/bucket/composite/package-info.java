/// Buckets of combined values, page by page in their order: a page keeps `size` buckets however
/// many there are, and the next begins behind the last key.
@NullMarked
package dev.holdfast.query.aggregation.bucket.composite;

import org.jspecify.annotations.NullMarked;
