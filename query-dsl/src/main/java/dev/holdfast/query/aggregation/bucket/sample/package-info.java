/// Buckets of samples: the best scored documents, those spread over the values of a field, or a
/// random share whose counts are scaled up.
@NullMarked
package dev.holdfast.query.aggregation.bucket.sample;

import org.jspecify.annotations.NullMarked;
