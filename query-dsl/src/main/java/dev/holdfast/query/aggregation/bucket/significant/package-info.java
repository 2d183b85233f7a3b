/// Buckets of terms that are more frequent in what was found than elsewhere. The background is
/// counted on the shard, in its index or by a query.
@NullMarked
package dev.holdfast.query.aggregation.bucket.significant;

import org.jspecify.annotations.NullMarked;
