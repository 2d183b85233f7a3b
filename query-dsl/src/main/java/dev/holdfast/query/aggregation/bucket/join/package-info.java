/// Buckets of other documents than those that were found: nested objects, the documents around
/// them, parents and children. Joins count against the same memory as the queries do.
@NullMarked
package dev.holdfast.query.aggregation.bucket.join;

import org.jspecify.annotations.NullMarked;
